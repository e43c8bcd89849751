//! Do all forms and orders say the same?

use super::*;
use crate::Moment;

/// A 3x4 matrix by rotating the axes, in f64.
fn matrix(position: [f32; 3], q: Rotation, scale: [f32; 3]) -> [[f64; 4]; 3] {
    let [x, y, z, w] = q.to_array().map(f64::from);
    let rotate = |v: [f64; 3]| {
        let u = [x, y, z];
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let t = cross(u, v).map(|c| 2.0 * c);
        let more = cross(u, t);
        core::array::from_fn::<f64, 3, _>(|i| v[i] + w * t[i] + more[i])
    };
    let columns = [rotate([1.0, 0.0, 0.0]), rotate([0.0, 1.0, 0.0]), rotate([0.0, 0.0, 1.0])];
    core::array::from_fn(|row| {
        core::array::from_fn(|column| match column {
            3 => position[row] as f64,
            _ => columns[column][row] * scale[column] as f64,
        })
    })
}

trait Matrix: Sample {
    fn matrix(&self) -> [[f64; 4]; 3];
    fn rows(&self) -> [[f32; 4]; 3];
    fn columns(&self) -> [[f32; 4]; 4];
}

impl Matrix for Pose {
    fn matrix(&self) -> [[f64; 4]; 3] {
        matrix(self.position, self.rotation, [1.0; 3])
    }

    fn rows(&self) -> [[f32; 4]; 3] {
        self.matrix_rows()
    }

    fn columns(&self) -> [[f32; 4]; 4] {
        self.to_matrix_4x4()
    }
}

impl Matrix for Scaled<Pose> {
    fn matrix(&self) -> [[f64; 4]; 3] {
        matrix(self.pose.position, self.pose.rotation, self.scale)
    }

    fn rows(&self) -> [[f32; 4]; 3] {
        self.matrix_rows()
    }

    fn columns(&self) -> [[f32; 4]; 4] {
        self.to_matrix_4x4()
    }
}

impl Matrix for Pose2 {
    fn matrix(&self) -> [[f64; 4]; 3] {
        matrix([self.position[0], self.position[1], 0.0], self.turn.into(), [1.0; 3])
    }

    fn rows(&self) -> [[f32; 4]; 3] {
        self.matrix_rows()
    }

    fn columns(&self) -> [[f32; 4]; 4] {
        self.to_matrix_4x4()
    }
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// `count` poses of which every third does not move, with holes in the handles' numbers.
fn crowd<P: Sample>(kernel: Kernel, count: usize) -> Batch<P> {
    let mut random = Random(count as u64);
    let mut batch = Batch::<P>::with_settings(BatchSettings { kernel, ..BatchSettings::default() }).unwrap();
    let handles: Vec<BatchHandle> =
        (0..count + count / 4).map(|_| batch.insert(P::any(&mut random))).collect();
    for handle in handles.iter().skip(1).step_by(5) {
        batch.remove(*handle).unwrap();
    }
    let _ = batch.frame(Moment::newest(0.0));
    batch.tick();
    batch
        .push_all(|handle, pose| if handle.index().is_multiple_of(3) { pose } else { P::any(&mut random) })
        .unwrap();
    // Some glide, of what moves and of what rests; it rests no longer.
    for handle in handles.iter().skip(3).step_by(10) {
        let (pose, other) = (batch.truth(*handle).unwrap(), P::any(&mut random));
        let by = P::scaled(&P::velocity(&pose, &other, 1.0), crate::blend::OffsetSize::both(0.01));
        batch.reconcile(*handle, pose.advance(&by, 1.0)).unwrap();
    }
    batch
}

fn all_forms_agree<P: Matrix>() {
    for kernel in Kernel::available() {
        for count in [0, 1, 15, 16, 17, 100, 1000] {
            let mut batch = crowd::<P>(kernel, count);
            let rows = batch.rows();
            let frame = batch.frame(Moment::at(0.3, 0.0));
            let moved = frame.moved();
            let mut tiles = vec![P::BLANK; moved.len().div_ceil(WIDTH)];
            assert_eq!(frame.tiles(&mut tiles), Ok(tiles.len()));
            for form in
                [OutputForm::Poses, OutputForm::Positions, OutputForm::Matrices3x4, OutputForm::Matrices4x4]
            {
                let floats = form.floats::<P>();
                let mut list = vec![f32::NAN; moved.len() * floats];
                assert_eq!(frame.write(form, &mut list), Ok(moved.len()));
                let mut array = vec![-7.0; rows * floats];
                assert_eq!(frame.write_rows(form, &mut array), Ok(moved.len()));
                for (i, &handle) in moved.iter().enumerate() {
                    let view = frame.view(handle).unwrap();
                    assert_eq!(P::take(&tiles[i / WIDTH], i % WIDTH), view);
                    let row = &list[i * floats..][..floats];
                    assert_eq!(row, &array[handle.index() * floats..][..floats], "{form:?}");
                    let numbers = view.numbers();
                    let want = view.matrix();
                    match form {
                        OutputForm::Poses => assert_eq!(row, numbers),
                        OutputForm::Positions => assert_eq!(row, &numbers[..P::AXES]),
                        OutputForm::Matrices3x4 => {
                            assert_eq!(bits(row), bits(view.rows().as_flattened()), "one pose as many");
                            for (k, &x) in row.iter().enumerate() {
                                assert!((x as f64 - want[k / 4][k % 4]).abs() < 1e-5, "{kernel:?} {k}");
                            }
                        }
                        OutputForm::Matrices4x4 => {
                            assert_eq!(bits(row), bits(view.columns().as_flattened()), "one pose as many");
                            for (k, &x) in row.iter().enumerate() {
                                let (column, row) = (k / 4, k % 4);
                                let want = want.get(row).map_or(f64::from(column == 3), |row| row[column]);
                                assert!((x as f64 - want).abs() < 1e-5, "{kernel:?} {k}");
                            }
                        }
                    }
                }
                let untouched = (0..rows).filter(|row| array[row * floats] == -7.0).count();
                assert_eq!(untouched, rows - moved.len(), "rows of what rests are left alone");
            }
        }
    }
}

#[test]
fn all_forms_of_poses_agree() {
    all_forms_agree::<Pose>();
}

#[test]
fn all_forms_of_scaled_poses_agree() {
    all_forms_agree::<Scaled<Pose>>();
}

#[test]
fn all_forms_of_flat_poses_agree() {
    all_forms_agree::<Pose2>();
}

#[test]
fn a_buffer_that_is_too_short_is_left_alone_and_told_so() {
    let mut batch = crowd::<Pose>(Kernel::widest(), 30);
    let frame = batch.frame(Moment::at(0.3, 0.0));
    let mut short = vec![-7.0; frame.moved().len() * 12 - 1];
    let given = short.len();
    assert_eq!(
        frame.write(OutputForm::Matrices3x4, &mut short),
        Err(BatchError::BufferTooShort { needed: given + 1, given })
    );
    assert!(short.iter().all(|&x| x == -7.0));
    assert_eq!(
        frame.tiles(&mut []),
        Err(BatchError::BufferTooShort { needed: frame.moved().len().div_ceil(WIDTH), given: 0 })
    );
    assert_eq!(
        BatchError::BufferTooShort { needed: 12, given: 11 }.to_string(),
        "the buffer has room for 11 floats and 12 are needed: make it longer"
    );
}
