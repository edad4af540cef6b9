//! What the language service can do with the texts that are open: mend a mistake, change a declaration in an overlay,
//! bring a text into its normal form.

use super::checker::Checked;
use super::history::Gesture;
use super::whole::{Workshop, no_game};
use dsl::diagnostic::Diagnostic;
use dsl::service::{self, Fix, Hover, Language};
use dsl::syntax::print;
use std::ops::Range;

impl Workshop {
    /// Ways to mend a mistake of the texts that were checked last, the likeliest first.
    pub fn fixes(&self, problem: &Diagnostic) -> Vec<Fix> {
        let Some(checked) = self.checked() else {
            return Vec::new();
        };
        // Mistakes that scenarios have when they are played and files that cannot be read are not the checker's.
        let mut known = checked.problems().zip(&checked.fixes);
        let found = known.find(|(one, _)| *one == problem);
        found.map_or_else(Vec::new, |(_, fixes)| fixes.clone())
    }

    /// The word at a byte of a text, if something has it for a name.
    pub fn word_at(&self, name: &str, at: usize) -> Option<String> {
        let checked = self.checked()?;
        let (sources, compiled) = (&checked.sources, &checked.compiled);
        let file = sources.find(name)?;
        let (span, _) = service::symbol_at(sources, compiled, file, at)?;
        Some(sources.slice(span).to_owned())
    }

    /// What stands at a byte of a text, in words; in one that is being written and says nothing yet, what stood there when all was
    /// right.
    pub fn hover(&self, name: &str, at: usize) -> Option<Hover> {
        let hover = |checked: &Checked, at: usize| {
            let file = checked.sources.find(name)?;
            service::hover(&checked.sources, &checked.compiled, file, at)
        };
        let checked = self.checked()?;
        hover(checked, at).or_else(|| {
            let good = self.good()?;
            let [now, then] = [checked, good].map(|checked| {
                let file = checked.sources.find(name);
                file.map(|file| checked.sources.text(file))
            });
            hover(good, place_before(now?, then?, at)?)
        })
    }

    /// The overlay that a change of a declaration goes to: the one that is changed, else the variant that lies on top.
    pub fn variant_in_hand(&self) -> Option<String> {
        if let Some(target) = self.target() {
            return Some(target.to_owned());
        }
        let overlays = self.overlays().iter();
        let mut variants = overlays.rev();
        let variant = variants.find(|one| !one.expansion && self.stack().contains(&one.id));
        variant.map(|one| one.id.clone())
    }

    /// Writes the operation that changes what is declared or named at a byte of a file into the variant in hand, and lets
    /// other edits go there too; where that variant changes it already, nothing is written. The file and the place to go on.
    ///
    /// # Errors
    /// If there is no variant, or why it cannot be changed.
    pub fn change_in_variant(
        &mut self,
        name: &str,
        at: usize,
    ) -> Result<(String, Range<usize>), String> {
        let Some(variant) = self.variant_in_hand() else {
            return Err("begin a variant first: it takes what is changed".into());
        };
        self.set_target(Some(&variant))?;
        let target = self.file_of(&variant);
        let target = target.ok_or_else(|| format!("`{variant}` has no rules file"))?;
        self.check_now();
        let checked = self.checked().ok_or_else(no_game)?.clone();
        let (sources, compiled) = (&checked.sources, &checked.compiled);
        let file = sources.find(name);
        let file = file.ok_or_else(|| format!("`{name}` is no text of the game"))?;
        let known = service::definition(sources, compiled, file, at);
        let known = known
            .iter()
            .find(|one| sources.file(one.span.file).path == target && one.span.file != file);
        if let Some(known) = known {
            return Ok((target, known.span.start as usize..known.span.end as usize));
        }
        let edit = service::overlay_stub(sources, compiled, file, at, &target)?;
        let written = edit.text.trim_start();
        let start = edit.range.start + edit.text.len() - written.len();
        let place = start..start + written.trim_end().len();
        self.propose("change in the variant", vec![edit])?;
        Ok((target, place))
    }

    /// Brings a text of rules or scenarios into its normal form; false: it was in it already.
    ///
    /// # Errors
    /// Why it has none: a mistake, or it is a file of another kind.
    pub fn format(&mut self, name: &str) -> Result<bool, String> {
        if Language::of(name) != Language::Rules {
            return Err(format!("`{name}` is no file of rules or scenarios"));
        }
        let text = self.document(name)?.text().to_owned();
        let normal = in_normal_form(name, &text)?;
        let changed = normal != text;
        self.document(name)?
            .set_text("format", Gesture::Once, &normal);
        Ok(changed)
    }

    /// Brings all of the game's own rules and scenarios into their normal form; how many were not.
    ///
    /// # Errors
    /// Files that have none, and why; the others are changed.
    pub fn format_all(&mut self) -> Result<usize, Vec<String>> {
        let names: Vec<String> = self.own_files().into_iter().map(str::to_owned).collect();
        let (mut changed, mut errors) = (0, Vec::new());
        for name in names
            .iter()
            .filter(|name| Language::of(name) == Language::Rules)
        {
            let text = self
                .sources()
                .and_then(|all| all.find(name).map(|id| all.text(id)));
            // A file that is in its normal form is not opened.
            match in_normal_form(name, text.unwrap_or_default()) {
                Ok(normal) if text == Some(&normal) => {}
                Ok(_) => match self.format(name) {
                    Ok(_) => changed += 1,
                    Err(why) => errors.push(why),
                },
                Err(why) => errors.push(why),
            }
        }
        if errors.is_empty() {
            Ok(changed)
        } else {
            Err(errors)
        }
    }
}

/// A text in its normal form, or its first mistake.
pub(crate) fn in_normal_form(name: &str, text: &str) -> Result<String, String> {
    let mut sources = dsl::source::SourceSet::new();
    let file = sources.insert(name, text);
    print::format(file, text).map_err(|mistakes| match mistakes.first() {
        Some(first) => format!("{}: {}", sources.place(first.span), first.message),
        None => format!("`{name}` has a mistake"),
    })
}

/// With a capital letter.
pub fn sentence(title: &str) -> String {
    let mut letters = title.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Where a byte of a text stood before the text was changed in one place; none of what is new.
fn place_before(now: &str, then: &str, at: usize) -> Option<usize> {
    let pairs = || now.bytes().zip(then.bytes());
    let head = pairs().take_while(|(now, then)| now == then).count();
    if at <= head {
        return Some(at);
    }
    let pairs = now.bytes().rev().zip(then.bytes().rev());
    // What stands before the change does not stand behind it too.
    let left = now.len().min(then.len()) - head;
    let tail = pairs
        .take(left)
        .take_while(|(now, then)| now == then)
        .count();
    let behind = now.len().checked_sub(at)?;
    (behind <= tail).then(|| then.len().checked_sub(behind))?
}

#[cfg(test)]
mod tests {
    use super::place_before;

    #[test]
    fn what_is_new_stood_nowhere() {
        let (then, now) = ("add to a.r where x", "add to a.r where (b x");
        assert_eq!(place_before(now, then, 9), Some(9));
        assert_eq!(place_before(now, then, 19), None);
        assert_eq!(place_before(now, then, 20), Some(17));
        assert_eq!(place_before(then, now, 18), Some(21));
    }
}
