//! Two players on one screen: each is drawn once per frame, and every camera is given the same `Drawn`.
//!
//! `cargo run -p portamento --example split_screen`

use portamento::camera::{FollowCamera, FollowSettings, Framing};
use portamento::step::{Frame, Stepper};
use portamento::{SettingError, Track};

const WINDOW: [usize; 2] = [76, 9];

fn main() -> Result<(), SettingError> {
    let mut stepper = Stepper::fixed(30.0)?;
    let mut players = [Track::new([0.0f32, 0.0]), Track::new([6.0, 2.0])];

    // Left: the first player. Right: both of them, however far apart they are.
    let half = FollowSettings::new([37.0, 9.0]);
    let mut close_up = FollowCamera::new(half)?;
    let right = FollowSettings { origin: [39.0, 0.0], fit_margin: 2.0, zoom_within: [0.1, 1.0], ..half };
    let mut overview = FollowCamera::new(right)?;

    for i in 0..=720 {
        let Frame { ticks, moment, .. } = stepper.frame(1.0 / 144.0);
        for tick in ticks {
            let t = tick.time as f32;
            players[0].push([2.0 * t, t.sin()]);
            players[1].push([6.0 + 14.0 * t, 2.0 + 2.0 * (2.0 * t).sin()]);
        }
        let drawn = players.each_mut().map(|player| player.draw(moment)); // once
        let views = [close_up.update(moment, drawn[0]), overview.update_all(moment, drawn)];
        if i % 240 == 0 {
            println!("{:.1} s: zoom {:.2} and {:.2}", i as f64 / 144.0, views[0].zoom, views[1].zoom);
            picture(&views, &drawn.map(|player| player.now.map(f64::from)));
        }
    }
    Ok(())
}

/// Both halves: a dot at every tenth unit of the world, the players as 1 and 2.
fn picture(views: &[Framing], players: &[[f64; 2]]) {
    let mut cells = vec![vec![' '; WINDOW[0]]; WINDOW[1]];
    for view in views {
        let (x0, y0) = (view.origin[0] as usize, view.origin[1] as usize);
        let [width, height] = view.viewport.map(|c| c as usize);
        for (y, row) in cells.iter_mut().enumerate().skip(y0).take(height) {
            for (x, cell) in row.iter_mut().enumerate().skip(x0).take(width) {
                let [left, top] = view.to_world([x as f64, y as f64]);
                let [right, bottom] = view.to_world([x as f64 + 1.0, y as f64 + 1.0]);
                let line = |a: f64, b: f64, every: f64| (a / every).ceil() < (b / every).ceil();
                if line(left, right, 10.0) && line(top, bottom, 4.0) {
                    *cell = '.';
                }
            }
        }
        for (number, place) in ['1', '2'].into_iter().zip(players) {
            let [x, y] = view.to_screen(*place);
            let inside = (0.0..view.viewport[0]).contains(&(x - view.origin[0])) && y >= 0.0;
            if let Some(row) = cells.get_mut(y as usize).filter(|_| inside) {
                row[x as usize] = number;
            }
        }
    }
    for row in cells {
        let row: String = row.into_iter().collect();
        println!("  {}|{}", &row[..38], row[39..].trim_end());
    }
    println!();
}
