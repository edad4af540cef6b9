//! The grammar's rules in words for people.

use super::forms::Form;
use crate::syntax::parse::Rule;

/// How much a phrase helps; what helps less is left out when there is something better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Named,
    End,
    Operator,
}

/// More are not listed.
const PHRASES_MAX: usize = 5;

/// What may stand at a place: `` `where` and a condition, `,` or the end of the line ``.
pub(super) fn list(rules: &[Rule], form: Form, after_word: bool) -> String {
    let mut phrases: Vec<(Weight, String)> = Vec::new();
    let follows_value =
        rules.iter().any(|rule| operator(*rule).is_some()) || form.name == "line of a scenario";
    for rule in rules {
        if after_word && may_follow_name(*rule) || follows_value && may_follow_value(*rule) {
            continue;
        }
        let phrase = phrase(*rule, form);
        if !phrase.1.is_empty() && !phrases.iter().any(|(_, known)| *known == phrase.1) {
            phrases.push(phrase);
        }
    }
    phrases.sort_by_key(|(weight, _)| *weight);
    if phrases.iter().any(|(_, phrase)| phrase == "`|`") {
        phrases.retain(|(_, phrase)| !phrase.starts_with("`=`"));
    }
    if phrases.iter().any(|(weight, _)| *weight == Weight::Named) {
        phrases.retain(|(weight, _)| *weight < Weight::Operator);
    }
    drop_implied(&mut phrases);
    let ends = phrases.iter().any(|(weight, _)| *weight == Weight::End);
    let named = phrases
        .iter()
        .filter(|(weight, _)| *weight == Weight::Named)
        .count();
    if ends && named > PHRASES_MAX {
        phrases.retain(|(weight, phrase)| *weight == Weight::End || phrase.starts_with("`:` and"));
    }
    phrases.truncate(PHRASES_MAX + 1);
    // The end comes last in a sentence.
    phrases.sort_by_key(|(weight, _)| (*weight == Weight::End, *weight));
    join(phrases.into_iter().map(|(_, phrase)| phrase).collect())
}

/// What follows a name that begins a statement: left out when that name is a word of the language.
fn may_follow_name(rule: Rule) -> bool {
    may_follow_value(rule)
        || matches!(
            rule,
            Rule::s_colon | Rule::assign_op | Rule::body_after_colon
        )
}

fn may_follow_value(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::s_open | Rule::s_open_list | Rule::k_on | Rule::s_semicolon
    )
}

/// `:` alone says nothing beside "`:` and a body".
fn drop_implied(phrases: &mut Vec<(Weight, String)>) {
    let has = |wanted: &str| phrases.iter().any(|(_, phrase)| phrase == wanted);
    let (body, statement) = (has("`:` and a body"), has("a statement"));
    phrases.retain(|(_, phrase)| {
        !(body && (phrase == "`:`" || phrase == "`then`" || phrase == "indented lines"))
            && !(statement && phrase == "an expression")
    });
}

fn join(mut phrases: Vec<String>) -> String {
    match phrases.pop() {
        None => "something else".to_owned(),
        Some(last) if phrases.is_empty() => last,
        Some(last) => format!("{} or {last}", phrases.join(", ")),
    }
}

fn phrase(rule: Rule, form: Form) -> (Weight, String) {
    if let Some(operator) = operator(rule) {
        return (Weight::Operator, operator.to_owned());
    }
    match rule {
        Rule::EOI | Rule::newline | Rule::dedent => (Weight::End, "the end of the line".to_owned()),
        Rule::s_semicolon => (Weight::Operator, "`;`".to_owned()),
        Rule::k_if if form.name == "`else`" => (Weight::Named, "`if`".to_owned()),
        Rule::k_by if form.name == "`win by`" => (Weight::Named, "`by`".to_owned()),
        Rule::k_at if form.name == "score line" => (Weight::Named, "`at end`".to_owned()),
        // In other constructs `else` goes on with a value or a body.
        Rule::k_else if matches!(form.name, "`always`" | "`check`" | "`need`" | "`choose`") => {
            (Weight::Named, "`else` and a message".to_owned())
        }
        rule => match named(rule) {
            Some(phrase) => (Weight::Named, phrase.to_owned()),
            None => (Weight::Named, word(rule)),
        },
    }
}

/// The words of the language among what could stand here.
pub(super) fn words(rules: &[Rule]) -> Vec<String> {
    let names = rules.iter().map(|rule| format!("{rule:?}"));
    names
        .filter_map(|name| name.strip_prefix("k_").map(str::to_owned))
        .collect()
}

/// A word of the language by the name of its rule.
fn word(rule: Rule) -> String {
    let name = format!("{rule:?}");
    match name.strip_prefix("k_") {
        Some(word) => format!("`{word}`"),
        None => String::new(),
    }
}

/// What may always follow a value.
fn operator(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::infix
        | Rule::sum_infix
        | Rule::add
        | Rule::subtract
        | Rule::multiply
        | Rule::divide
        | Rule::remainder
        | Rule::range
        | Rule::equal
        | Rule::not_equal
        | Rule::less
        | Rule::less_equal
        | Rule::greater
        | Rule::greater_equal
        | Rule::not_in
        | Rule::k_and
        | Rule::k_or
        | Rule::k_implies
        | Rule::k_within
        | Rule::k_otherwise
        | Rule::on_part
        | Rule::fate
        | Rule::k_wins
        | Rule::k_loses
        | Rule::member
        | Rule::subscript
        | Rule::arguments
        | Rule::s_dot
        | Rule::s_dots
        | Rule::s_optional => Some("an operator"),
        _ => None,
    }
}

fn named(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::word | Rule::name | Rule::owned | Rule::row_head => "a name",
        Rule::words => "names with commas between",
        Rule::game_id | Rule::game_ids | Rule::path => "a name",
        Rule::number | Rule::row_type => "a number",
        Rule::literal => "a text in quotes",
        Rule::string => "a message in quotes",
        Rule::plain | Rule::quoted => "`\"`",
        Rule::expr
        | Rule::exprs
        | Rule::sum
        | Rule::operand
        | Rule::postfix
        | Rule::primary
        | Rule::not
        | Rule::negate
        | Rule::can
        | Rule::parts_of
        | Rule::conditional
        | Rule::best_walk
        | Rule::best_walks
        | Rule::distance
        | Rule::ends_of_walk
        | Rule::aggregate
        | Rule::parens
        | Rule::braces
        | Rule::brackets
        | Rule::times
        | Rule::entry
        | Rule::arg
        | Rule::named_arg
        | Rule::k_can
        | Rule::k_parts
        | Rule::k_if
        | Rule::k_best
        | Rule::k_ends
        | Rule::low_bound
        | Rule::high_bound
        | Rule::cell_value
        | Rule::k_not
        | Rule::end_of => "an expression",
        Rule::type_
        | Rule::container
        | Rule::range_type
        | Rule::collected
        | Rule::effect_type
        | Rule::formula_type
        | Rule::inline_enum => "a type",
        Rule::body | Rule::body_after_colon | Rule::block => "`:` and a body",
        Rule::indent | Rule::columns | Rule::steps | Rule::items => "indented lines",
        Rule::statement
        | Rule::inline
        | Rule::run
        | Rule::assign
        | Rule::label
        | Rule::item
        | Rule::short_item => "a statement",
        Rule::assign_op | Rule::add_op | Rule::subtract_op | Rule::set_equal => "`=`, `+=` or `-=`",
        Rule::else_message => "`else` and a message",
        Rule::ask_message | Rule::k_ask => "`ask` and a question",
        Rule::where_clause | Rule::condition_clause | Rule::condition_plain | Rule::k_where => {
            "`where` and a condition"
        }
        Rule::by_clause | Rule::k_by => "`by` and a key",
        Rule::from_clause | Rule::from_zone | Rule::seat_from => "`from` and a place",
        Rule::to_clause => "`to` and a place",
        Rule::up_to | Rule::up_word | Rule::k_up => "`up to` and a number",
        Rule::at_least => "`at least` and a number",
        Rule::need_clause => "`need` and a condition",
        Rule::max_clause => "`max` and a number",
        Rule::for_clause | Rule::k_for => "`for x in …`",
        Rule::after_step | Rule::k_after => "`after` and a step",
        Rule::on_paths => "`on` and cells",
        Rule::while_clause | Rule::k_while => "`while` and a condition",
        Rule::may_word => "`may`",
        Rule::must_word => "`must`",
        Rule::agenda_item => "a line with `must` or `may`",
        Rule::anytime => "`anytime`",
        Rule::during => "`during` and a step",
        Rule::secretly => "`secretly`",
        Rule::as_far => "`as far as possible`",
        Rule::params => "`(` and parameters",
        Rule::param | Rule::given_param => "a parameter",
        Rule::choice | Rule::binder | Rule::binders => "`x in …`",
        Rule::composite => "`=` and effects",
        Rule::start => "`=` and a value",
        Rule::private => "`private`",
        Rule::to_others => "`to others`",
        Rule::k_others => "`others`",
        Rule::hidden => "`hidden`",
        Rule::showing => "`showing`",
        Rule::refill => "`refill from`",
        Rule::fill => "`fill from`",
        Rule::cell_rest => "`:` and a type",
        Rule::formula_rest => "`=` and a value",
        Rule::nested => "`of` and a table",
        Rule::sources => "`in` and a file",
        Rule::source | Rule::source_list => "a file in quotes",
        Rule::key => "`key`",
        Rule::copies => "`copies`",
        Rule::rows_for => "`for x in …`",
        Rule::row_values => "`x in …`",
        Rule::column => "a column",
        Rule::head | Rule::row_line | Rule::grid_line | Rule::effect_line => "a line of the table",
        Rule::links => "`links`",
        Rule::joins => "`joins`",
        Rule::plane => "`plane` and a size",
        Rule::board => "a size such as `8 by 8`",
        Rule::ground => "a board such as `8 by 8`",
        Rule::hexagon => "`hexagon` and the size of its sides",
        Rule::squares | Rule::k_squares => "`squares`",
        Rule::hexes | Rule::k_hexes => "`hexes`",
        Rule::k_flat => "`flat hexes`",
        Rule::k_offset => "`offset hexes`",
        Rule::picture | Rule::picture_part | Rule::picture_line => {
            "a picture, `|` before each of its lines"
        }
        Rule::ground_table => "a table with two columns",
        Rule::turns => "`turns` and a number",
        Rule::borders => "`borders` and a name",
        Rule::corners => "`corners` and a name",
        Rule::score_line => "a score line",
        Rule::preference | Rule::avoid => "a line with `prefer` or `avoid`",
        Rule::at_end => "`at end`",
        Rule::match_arm => "a case",
        Rule::else_body => "`else`",
        Rule::patch_key => "a row in `[…]`",
        Rule::patch_cell => "a column and its value",
        Rule::needs => "`needs`",
        Rule::not_with => "`not with`",
        Rule::after_layers => "`after`",
        Rule::of_game => "`of` and a game",
        Rule::from_position => "`from` and a position's title",
        Rule::case_values => "`for` and values",
        Rule::some_moment => "`at some moment`",
        Rule::until => "`until` and a condition",
        Rule::each_seat => "`each player`",
        Rule::answer_row => "an answer",
        Rule::with_layers => "`with` and overlays",
        Rule::because => "`because` and a reason",
        Rule::finish_now => "`now`",
        Rule::finish_after => "`after this` and a step",
        Rule::of_each => "`of each player`",
        Rule::goes_on => "`and play goes on`",
        Rule::choice_list => "answers in `{…}`",
        Rule::given_cell | Rule::fix_step => "a cell and its value",
        Rule::answers_step => "a seat and its answers",
        Rule::deck_end => "`top of` or `bottom of`",
        Rule::s_colon => "`:`",
        Rule::s_comma => "`,`",
        Rule::s_equals => "`=`",
        Rule::s_open => "`(`",
        Rule::s_close => "`)`",
        Rule::s_open_list => "`[`",
        Rule::s_close_list => "`]`",
        Rule::s_open_set => "`{`",
        Rule::s_close_set => "`}`",
        Rule::s_bar => "`|`",
        _ => return None,
    })
}
