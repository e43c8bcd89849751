//! One self-contained page with everything that was measured: no network, no other file.

mod charts;
mod lanes;
mod plot;

use crate::lab::verdict::{Tally, situations};
use crate::lab::{self, Case, Options, Row, Scenario};
use charts::class;
use plot::{escape, short};
use serde_json::{Value, json};
use std::fmt::Write;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The report as HTML. The same cases give the same bytes.
pub fn render(cases: &[Case], options: &Options) -> String {
    let mut scenarios: Vec<Scenario> = cases.iter().map(|c| c.scenario).collect();
    scenarios.dedup();
    let mut page = String::with_capacity(1 << 21);
    let _ = write!(
        page,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>portamento lab</title>\
         <link rel=\"icon\" href=\"data:,\"><style>{STYLE}</style></head><body>"
    );
    header(&mut page, &scenarios);
    page.push_str("<main>");
    hero(&mut page, cases, options);
    for scenario in scenarios {
        section(&mut page, scenario, cases);
    }
    page.push_str("</main>");
    footer(&mut page);
    let playbacks: Vec<Value> = cases.iter().map(lanes::playback).collect();
    // `</` inside the data would end the script element.
    let data = json!({ "cases": playbacks }).to_string().replace("</", "<\\/");
    let _ = writeln!(
        page,
        "<script type=\"application/json\" id=\"data\">{data}</script><script>{SCRIPT}</script></body></html>"
    );
    page
}

fn header(page: &mut String, scenarios: &[Scenario]) {
    page.push_str(
        "<header class=\"bar\"><a class=\"mark\" href=\"#top\"><svg viewBox=\"0 0 48 24\" aria-hidden=\"true\">\
         <path d=\"M4 18C16 18 20 6 34 6\"/><circle cx=\"5\" cy=\"18\" r=\"4\"/><circle cx=\"37\" cy=\"6\" r=\"4\"/></svg>\
         portamento <span>lab</span></a><nav>",
    );
    for scenario in scenarios {
        let _ = write!(page, "<a href=\"#{}\">{}</a>", scenario.id(), capitalised(&scenario.id()));
    }
    page.push_str(
        "</nav><button id=\"theme\" type=\"button\" aria-label=\"Switch between light and dark\">◐</button></header>",
    );
}

fn hero(page: &mut String, cases: &[Case], options: &Options) {
    let _ = write!(page, "<section class=\"hero\" id=\"top\"><h1>{}</h1>", title(cases));
    page.push_str(
        "<p class=\"lede\">One motion, drawn three times: as it comes, by the smoothest other method that is at most \
         2 ms later, and by portamento.</p>",
    );
    if let Some((index, case)) = opening(cases) {
        let _ = write!(
            page,
            "<p class=\"setting\"><b>{}.</b> {} The dashed ring is where the truth is now.{}</p>",
            escape(&capitalised(&case.name)),
            escape(&case.setting),
            escape(&price(case))
        );
        player(page, index);
    }
    page.push_str(
        "<h2 class=\"g-heading\">Every situation at a glance</h2>\
         <p class=\"lede\">Judder is how unevenly the picture moves, as a share of its speed: farther left is \
         smoother, and below 0.05 we call it smooth (a working threshold, not a limit of the eye).</p><p class=\"legend\"><span class=\"k-raw\">as it comes</span><span class=\"k-rival\">best rival</span>\
         <span class=\"k-ours\">portamento</span></p>",
    );
    page.push_str(&charts::glance(cases));
    complaints(page, cases);
    let _ = write!(
        page,
        "<p class=\"fine\">Seed {}. The same seed gives the same page, byte for byte.</p>",
        options.seed
    );
    page.push_str("</section>");
}

/// What the page comes to: the situations in which ours is better, of those that have a rival.
fn title(cases: &[Case]) -> String {
    let tally = Tally::of(&situations(cases));
    match tally.compared() {
        0 => "How smooth portamento is, <em>in figures</em>".to_owned(),
        1 if tally.better == 1 => "Portamento is <em>better</em> than the best rival here".to_owned(),
        1 => "Portamento and the best rival, <em>in figures</em>".to_owned(),
        of => format!("Better than the best rival in <em>{} of {of}</em> situations", tally.better),
    }
}

/// What players complain about, a line for each situation: the best rival and ours side by side.
fn complaints(page: &mut String, cases: &[Case]) {
    let all = situations(cases);
    let _ = write!(
        page,
        "<h2 class=\"g-heading\">What players complain about</h2><p class=\"lede\">{}</p><div class=\"scroll\">\
         <table class=\"complaints\"><thead><tr><th rowspan=\"2\">situation<th rowspan=\"2\"><th colspan=\"5\" \
         class=\"k-rival\">best rival<th colspan=\"5\" class=\"k-ours\">portamento<tr>",
        escape(&capitalised(&lab::table::headline(Tally::of(&all))))
    );
    for _ in 0..2 {
        page.push_str(
            "<th class=\"first\">judder<th>late<br><small>ms</small><th>back<br><small>%</small><th>freeze\
             <br><small>%</small><th>off path",
        );
    }
    page.push_str("</thead><tbody>");
    for situation in &all {
        let verdict = situation.verdict.as_ref();
        let about = verdict.map_or_else(
            || "nobody to compare with".to_owned(),
            |v| {
                let list = |what: &str, names: &[&str]| match names {
                    [] => String::new(),
                    names => format!("{what}: {}. ", names.join(", ")),
                };
                let text = list("better", &v.better) + &list("worse", &v.worse);
                if text.is_empty() { "no difference to be seen".to_owned() } else { text }
            },
        );
        let _ = write!(
            page,
            "<tr><th scope=\"row\"><a href=\"#case-{0}\" data-case=\"{0}\">{1}</a><td title=\"{2}\">{3}",
            situation.index,
            escape(&situation.name),
            escape(about.trim()),
            verdict.map_or(String::new(), |v| v.mark().to_string().replace('-', "−"))
        );
        for row in [situation.worst.rival(), situation.worst.ours()] {
            let Some(row) = row else {
                page.push_str("<td class=\"first\">–<td><td><td><td>");
                continue;
            };
            let f = &row.figures;
            let _ = write!(
                page,
                "<td class=\"first {}\">{}<td>{:.0}<td>{:.1}<td>{:.1}<td>{}",
                class(row.kind),
                short_judder(f.judder),
                f.latency * 1e3,
                f.reverse * 1e2,
                f.freeze * 1e2,
                short((f.off_path_p99 * 1e3).round() / 1e3)
            );
        }
    }
    page.push_str(
        "</tbody></table></div><p class=\"fine\"><b>+</b> better, <b>−</b> worse, <b>±</b> both, <b>=</b> no difference \
         to be seen: both are smooth (judder below 0.05) or within a quarter of each other, and no complaint differs by \
         more than one frame in a hundred, 25 ms, or 20 ms of the way. Of a situation at several rates, the rate with \
         most judder of ours. Our own older rules are no rivals.</p>",
    );
}

/// What ours pays in latency for being smoother, in a sentence.
fn price(case: &Case) -> String {
    let (Some(ours), Some(rival)) = (case.ours(), case.rival()) else { return String::new() };
    let ms = |row: &Row| (row.figures.latency * 1e3).round();
    let mut out = format!(
        " {} is {} ms behind it and the rival ({}) {} ms",
        capitalised(&ours.name),
        ms(ours),
        rival.name,
        ms(rival)
    );
    if ms(ours) > ms(rival) {
        let _ = write!(out, ": part of the smoothness is bought with {} ms of delay", ms(ours) - ms(rival));
        let unbeaten = case.smoother_but_later().is_none() && ours.figures.judder < rival.figures.judder;
        if unbeaten {
            out.push_str(", though none of the later rivals here is as smooth either");
        }
    }
    out + "."
}

/// The case that a reader sees first: the one that says most without words.
fn opening(cases: &[Case]) -> Option<(usize, &Case)> {
    let mut all = cases.iter().enumerate().filter(|(_, case)| case.ours().is_some());
    let bad_link = |case: &Case| case.scenario == Scenario::Links && case.name.contains("burst");
    all.clone()
        .find(|(_, case)| bad_link(case))
        .or_else(|| all.next())
        .or_else(|| cases.first().map(|c| (0, c)))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn section(page: &mut String, scenario: Scenario, cases: &[Case]) {
    let members: Vec<(usize, &Case)> =
        cases.iter().enumerate().filter(|(_, case)| case.scenario == scenario).collect();
    let _ = write!(
        page,
        "<section class=\"scenario\" id=\"{}\"><h2>{}</h2><p class=\"lede\">{}</p>",
        scenario.id(),
        escape(scenario.title()),
        escape(scenario.lead())
    );
    let open = most_telling(&members);
    page.push_str("<div class=\"tabs\" role=\"tablist\">");
    for (index, case) in &members {
        let _ = write!(
            page,
            "<button type=\"button\" role=\"tab\" id=\"tab-{index}\" aria-controls=\"case-{index}\" \
             aria-selected=\"{}\" data-case=\"{index}\">{}</button>",
            *index == open,
            escape(&case.name)
        );
    }
    page.push_str("</div>");
    player(page, open);
    for (index, case) in members {
        panel(page, index, case, index == open);
    }
    page.push_str(
        "<p class=\"fine\"><b>freeze, jump, back</b>: frames that hardly move, move more than twice as far as they \
         should, or move backwards. <b>off path</b>: distance from the true path. <b>age</b>: display time minus the \
         moment shown; <b>p95</b>: 95 % of frames are no older. <b>wander</b>: how much the age, averaged over a second, \
         comes and goes. <b>anim. error</b>: time shown minus time passed, frame to frame (PresentMon\u{2019}s \
         MsAnimationError).</p></section>",
    );
}

/// The case of a section that is open at first: where the rival and ours differ most, whichever is better.
fn most_telling(members: &[(usize, &Case)]) -> usize {
    let difference = |case: &Case| match (case.ours(), case.rival()) {
        (Some(ours), Some(rival)) => (ours.figures.judder - rival.figures.judder).abs(),
        _ => 0.0,
    };
    // Of equals the first.
    let most = members.iter().rev().max_by(|a, b| difference(a.1).total_cmp(&difference(b.1)));
    most.map_or(0, |(index, _)| *index)
}

/// The place for the animation; the script fills it.
fn player(page: &mut String, case: usize) {
    let _ = write!(page, "<div class=\"player\" data-first=\"{case}\">");
    page.push_str(
        "<div class=\"screens\"></div><div class=\"controls\">\
         <button type=\"button\" class=\"play\" aria-label=\"Play or pause\">▶</button>\
         <button type=\"button\" class=\"back\" aria-label=\"One frame back\">‹</button>\
         <button type=\"button\" class=\"next\" aria-label=\"One frame on\">›</button>\
         <input type=\"range\" class=\"scrub\" min=\"0\" max=\"1000\" value=\"0\" aria-label=\"Time\">\
         <output class=\"clock\">0.00 s</output>\
         <span class=\"speeds\" role=\"group\" aria-label=\"Speed\"><button type=\"button\" data-speed=\"1\">1×</button>\
         <button type=\"button\" data-speed=\"0.25\">¼×</button><button type=\"button\" data-speed=\"0.1\">⅒×</button></span>\
         <label class=\"follow\"><input type=\"checkbox\" checked> camera follows</label></div></div>",
    );
}

fn panel(page: &mut String, index: usize, case: &Case, open: bool) {
    let hidden = if open { "" } else { " hidden" };
    let _ = write!(
        page,
        "<div class=\"case\" role=\"tabpanel\" id=\"case-{index}\" aria-labelledby=\"tab-{index}\"{hidden}>\
         <p class=\"setting\">{}</p>{}<div class=\"plots\">",
        escape(&case.setting),
        verdict(case)
    );
    let figures = [
        ("Latency against judder", "Down and left is better.", String::new(), charts::front(case)),
        (
            "Drawn against true",
            "Where the difference is largest.",
            legend(true, &charts::lanes(case)),
            charts::drawn_against_true(case),
        ),
        (
            "Judder spectrum",
            "How strong the unevenness is at each frequency.",
            legend(false, &charts::lanes(case)),
            charts::spectrum(case),
        ),
        (
            "Age over time",
            "Display time minus the moment shown; bands are the range.",
            legend(false, &charts::aged(case)),
            charts::age(case),
        ),
    ];
    for (title, about, legend, svg) in figures {
        let _ = write!(page, "<figure><figcaption><b>{title}</b> {about}</figcaption>{legend}{svg}</figure>");
    }
    page.push_str("</div>");
    table(page, case);
    page.push_str("</div>");
}

/// Which colour is which strategy.
fn legend(truth: bool, rows: &[&Row]) -> String {
    let mut out = String::from("<p class=\"legend\">");
    if truth {
        out.push_str("<span class=\"k-truth\">the truth</span>");
    }
    for row in rows {
        let _ = write!(out, "<span class=\"{}\">{}</span>", class(row.kind), escape(&row.name));
    }
    out + "</p>"
}

/// The case in one line of large figures.
fn verdict(case: &Case) -> String {
    let mut out = String::from("<dl class=\"verdict\">");
    for row in charts::lanes(case) {
        let _ = write!(
            out,
            "<div class=\"{}\"><dt>{}</dt><dd>{}<small> judder</small></dd><dd class=\"late\">{} ms late · back {:.1} % · \
             freeze {:.1} % · {} off path{}</dd></div>",
            class(row.kind),
            escape(&row.name),
            short_judder(row.figures.judder),
            short((row.figures.latency * 1e4).round() / 10.0),
            row.figures.reverse * 1e2,
            row.figures.freeze * 1e2,
            short((row.figures.off_path_p99 * 1e3).round() / 1e3),
            row.penetration.map_or_else(String::new, |depth| format!(" · {depth:.2} into the wall"))
        );
    }
    out.push_str("</dl>");
    out
}

fn short_judder(judder: f64) -> String {
    if judder < 0.0005 { "0.000".to_owned() } else { format!("{judder:.3}") }
}

fn table(page: &mut String, case: &Case) {
    let cuts = case.rows.iter().any(|r| r.figures.slide.cuts > 0);
    page.push_str(
        "<div class=\"scroll\"><table><thead><tr><th>strategy<th>judder<th>latency<br><small>ms</small><th>freeze\
         <br><small>%</small><th>jump<br><small>%</small><th>back<br><small>%</small>",
    );
    if cuts {
        page.push_str("<th>slide<br><small>ms per cut</small>");
    }
    page.push_str("<th>off path<br><small>p99</small>");
    if case.wall.is_some() {
        page.push_str("<th>in wall");
    }
    page.push_str("<th>age p95<br><small>ms</small><th>wander<br><small>ms</small><th>anim. error<br><small>ms rms</small></thead><tbody>");
    let most = case.rows.iter().map(|r| r.figures.judder).fold(0.1, f64::max);
    let ms = |seconds: Option<f64>| seconds.map_or("–".to_owned(), |s| format!("{:.1}", s * 1e3));
    for row in &case.rows {
        let f = &row.figures;
        let bar = (f.judder / most).sqrt();
        let _ = write!(
            page,
            "<tr class=\"{}\"><th scope=\"row\">{}<td class=\"bar-cell\"><i style=\"--w:{bar:.3}\"></i>{}<td>{:.1}\
             <td>{:.1}<td>{:.1}<td>{:.1}",
            class(row.kind),
            escape(&row.name),
            short_judder(f.judder),
            f.latency * 1e3,
            f.freeze * 1e2,
            f.jump * 1e2,
            f.reverse * 1e2
        );
        if cuts {
            let _ = write!(page, "<td>{:.1}", f.slide.time * 1e3);
        }
        let _ = write!(page, "<td>{}", short((f.off_path_p99 * 1e4).round() / 1e4));
        if case.wall.is_some() {
            let _ = write!(page, "<td>{:.3}", row.penetration.unwrap_or(0.0));
        }
        let animation = f.animation.map(|a| a.rms);
        let _ = write!(page, "<td>{}<td>{}<td>{}", ms(f.age_p95), ms(f.wander), ms(animation));
    }
    page.push_str("</tbody></table></div>");
}

fn footer(page: &mut String) {
    let _ = write!(
        page,
        "<footer><p><b>How to read it.</b> Latency is the shift in time that fits the picture best to the truth. Judder \
         is what remains at that shift: the rate of change of the error over the ideal speed, both as root mean squares. \
         Frames near a cut are judged by <i>slide</i> alone: time in which the picture was on neither side of the jump. \
         The two oracles know everything; they are the floors. portamento {}.</p></footer>",
        env!("CARGO_PKG_VERSION")
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Kind;

    fn small() -> (Vec<Case>, Options) {
        let options = Options { seconds: 4.0, ..Options::default() };
        let jobs: Vec<_> =
            [Scenario::Loop, Scenario::Teleports].iter().flat_map(|s| s.jobs(&options)).collect();
        (lab::run(&jobs, &options, |_| {}), options)
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        let ((a, options), (b, _)) = (small(), small());
        assert!(render(&a, &options) == render(&b, &options), "two runs with one seed differ");
    }

    #[test]
    fn the_title_counts_the_situations_that_the_page_shows() {
        let (cases, options) = small();
        let all = situations(&cases);
        let better = all.iter().filter(|s| s.verdict.as_ref().is_some_and(|v| v.mark() == '+')).count();
        let title = title(&cases);
        assert!(title.contains(&format!("<em>{better} of {}</em>", all.len())), "{title}");
        let page = render(&cases, &options);
        for situation in &all {
            assert!(page.contains(&format!(">{}</a><td title=", situation.name)), "{}", situation.name);
        }
    }

    #[test]
    fn the_page_needs_nothing_from_outside() {
        let (cases, options) = small();
        let page = render(&cases, &options);
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert_eq!(page.matches("<svg class=\"plot ").count(), 4 * cases.len());
        let figures: String =
            page.split("<svg").skip(1).filter_map(|part| part.split("</svg>").next()).collect();
        assert!(
            !figures.contains("NaN") && !figures.contains("inf"),
            "a figure without a value reached a plot"
        );
    }

    #[test]
    fn every_rival_is_a_labelled_point() {
        let (cases, _) = small();
        let case = cases.iter().find(|c| c.scenario == Scenario::Teleports).unwrap();
        let front = charts::front(case);
        for row in case.rows.iter().filter(|r| r.kind == Kind::Rival) {
            assert!(front.contains(&format!(">{}</text>", row.name)), "{}", row.name);
        }
    }
}
