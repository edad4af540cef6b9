use dsl::source::SourceSet;
#[test]
fn docs() {
    let text = std::fs::read_to_string("../docs/language.md").unwrap();
    let mut n = 0;
    let blocks: Vec<&str> = text.split("```rules\n").skip(1).map(|b| b.split("```").next().unwrap()).collect();
    let mut all: Vec<(String, String)> = blocks.iter().enumerate().map(|(i, b)| (format!("block{i}"), b.to_string())).collect();
    if let Ok(extra) = std::env::var("EXTRA") {
        for f in extra.split(',') { all.push((f.to_string(), std::fs::read_to_string(f).unwrap())); }
    }
    for (name, b) in &all {
        let mut set = SourceSet::new();
        let id = set.insert(name.clone(), b.clone());
        let t = std::time::Instant::now();
        let parsed = dsl::syntax::parse::parse(id, b);
        println!("{name}: {} decls {:?}", parsed.file.declarations.len(), t.elapsed());
        for d in &parsed.diagnostics {
            n += 1;
            let (l, _) = set.line_column(d.span);
            println!("{} {} {}: {} {:?}\n   {}", set.place(d.span), d.code, d.message, d.here, d.help, b.lines().nth(l - 1).unwrap_or(""));
        }
        if name.contains("block") && std::env::var("DUMP").is_ok() { println!("{:#?}", parsed.file); }
    }
    println!("{n} errors");
}
