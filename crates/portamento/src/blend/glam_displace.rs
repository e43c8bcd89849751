//! How far apart are glam's values? As far as the arrays and rotations that they are.

macro_rules! glam_version {
    ($feature:literal, $module:ident, $glam:ident) => {
        #[cfg(feature = $feature)]
        mod $module {
            use crate::blend::Rotation;
            use crate::blend::{Displace, OffsetSize};
            use $glam::{DVec2, DVec3, Quat, Vec2, Vec3, Vec3A};

            macro_rules! vector {
                ($vector:ty, $array:ty) => {
                    impl Displace for $vector {
                        fn inner(a: &Self, b: &Self) -> OffsetSize {
                            <$array>::inner(&a.to_array(), &b.to_array())
                        }

                        fn scaled(by: &Self, factor: OffsetSize) -> Self {
                            Self::from_array(<$array>::scaled(&by.to_array(), factor))
                        }

                        fn is_finite(&self) -> bool {
                            Displace::is_finite(&self.to_array())
                        }

                        fn checksum(&self) -> u64 {
                            self.to_array().checksum()
                        }
                    }
                };
            }

            vector!(Vec2, [f32; 2]);
            vector!(Vec3, [f32; 3]);
            vector!(Vec3A, [f32; 3]);
            vector!(DVec2, [f64; 2]);
            vector!(DVec3, [f64; 3]);

            impl Displace for Quat {
                fn inner(a: &Vec3, b: &Vec3) -> OffsetSize {
                    Rotation::inner(&a.to_array(), &b.to_array())
                }

                fn scaled(by: &Vec3, factor: OffsetSize) -> Vec3 {
                    Vec3::from_array(Rotation::scaled(&by.to_array(), factor))
                }

                fn is_finite(&self) -> bool {
                    Displace::is_finite(&Rotation::from(*self))
                }

                fn checksum(&self) -> u64 {
                    self.to_array().checksum()
                }
            }

            #[test]
            fn glam_types_stand_beside_their_truth_like_arrays() {
                use crate::blend::Hermite;
                let (from, to) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, -1.0, 7.0));
                let by = Vec3::velocity(&from, &to, 1.0);
                assert_eq!(Vec3::size(&by), OffsetSize { length: 5.0, angle: 0.0 });
                assert_eq!(Vec3::scaled(&by, OffsetSize::both(2.0)), 2.0 * (to - from));
                let (from, to) = (Quat::from_rotation_x(0.3), Quat::from_rotation_x(0.7));
                let by = Quat::velocity(&from, &to, 1.0);
                assert!((Quat::size(&by).angle - 0.4).abs() < 1e-6);
                assert!(from.advance(&by, 0.5).angle_between(Quat::from_rotation_x(0.5)) < 1e-3);
                let way = Quat::curve(&from, &by, &to, &by, 1.0);
                assert_eq!((Quat::on(&way, 0.0), Quat::on(&way, 1.0)), (from, to));
                assert_eq!(Vec3::X.checksum(), [1f32, 0.0, 0.0].checksum());
                assert_ne!(from.checksum(), to.checksum());
                assert!(!Displace::is_finite(&Vec3::NAN) && !Displace::is_finite(&Quat::NAN));
            }
        }
    };
}

glam_version!("glam_0_30", v0_30, glam_0_30);
glam_version!("glam_0_32", v0_32, glam_0_32);
glam_version!("glam_0_34", v0_34, glam_0_34);
