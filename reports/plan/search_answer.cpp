#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/plan/plan_evidence.hpp"
#include "reports/plan/search_report.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/demands/demands.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_shown = 12;
/// Of more candidates than these the typed reasons would fill the memory: their sentences stand alone.
constexpr std::size_t most_typed_rejections = 20'000;

std::string figure_of(const SearchedCandidate& candidate, MeasureId figure) {
  const auto* entry = candidate.figures.find(figure);
  if (entry == nullptr) return no_value;
  if (!is_by_formula(candidate) || figure->average == Average::constant) return figure_text(figure, entry->value);
  // A bound of 0 says nothing.
  if (entry->value.mean == 0.0) return no_value;
  return (figure->better == Better::more ? "≤ " : "≥ ") + figure_text(figure, entry->value);
}

Cell mean_cell(const SearchedCandidate& candidate, MeasureId figure) {
  const auto* entry = candidate.figures.find(figure);
  return entry == nullptr ? Cell() : Cell(entry->value.mean);
}

Cell figure_cell(const CandidateFigures::Entry* entry) {
  if (entry == nullptr) return {};
  return entry->exact() ? Cell(entry->value.mean) : Cell(entry->value);
}

void add_rejection(std::vector<Cell>& cells, const PlanSearch& search, const std::optional<Rejection>& rejection) {
  const Rejection& why = rejection ? *rejection : Rejection{};
  const bool missed = rejection && why.requirement;
  cells.push_back(rejection ? Cell(std::string(name_of(why.kind))) : Cell());
  cells.push_back(missed ? Cell(search.requirements.at(*why.requirement).text) : Cell());
  cells.push_back(missed ? Cell(why.value) : Cell());
  cells.push_back(missed && why.interval ? Cell(*why.interval) : Cell());
  cells.push_back(cell_word(why.binding));
  cells.push_back(why.than ? Cell(*why.than) : Cell());
  cells.push_back(cell_word(why.words));
}

constexpr std::array rejection_keys{"kind", "requirement", "value", "interval", "binding", "than", "words"};

/// The columns of a candidate: its values and what matters here for people, everything for programs.
class CandidateColumns {
 public:
  /// @param prefix  of the places in a row's object
  explicit CandidateColumns(const PlanSearch& search, std::string prefix = "")
      : search_(&search), prefix_(std::move(prefix)) {
    add_shown(search.objective.figure);
    for (const Requirement& requirement : search.requirements)
      if (requirement.of.empty()) add_shown(requirement.figure);
    add_shown(measure("gpus"));
    const auto add_known = [this](const SearchedCandidate& candidate) {
      for (const CandidateFigures::Entry& entry : candidate.figures.entries)
        if (std::find(known_.begin(), known_.end(), std::pair(entry.figure, entry.of)) == known_.end())
          known_.emplace_back(entry.figure, entry.of);
    };
    if (search.answer) add_known(*search.answer);
    for (const NamedAnswer& one : search.named)
      if (one.candidate) add_known(*one.candidate);
    for (const Relaxation& one : search.relaxations) add_known(one.candidate);
    for (const SearchedCandidate& one : search.looked_at) add_known(one);
  }

  void add_to(std::vector<Column>& columns) const {
    for (const FreeVariable& variable : search_->variables)
      columns.push_back(
          {.key = variable.name, .title = variable.name, .shown = Shown::number, .json = prefix_ + "values/*"});
    for (const MeasureId figure : shown_)
      columns.push_back({.title = std::string(figure->name), .shown = Shown::number, .readers = For::people});
    columns.push_back({.key = "known_by", .title = "known by", .readers = For::programs, .json = prefix_ + "known_by"});
    columns.push_back({.key = "settings", .readers = For::programs, .json = prefix_ + "settings"});
    for (const auto& [figure, of] : known_)
      columns.push_back({.key = figure->key() + (of.empty() ? "" : ":" + of),
                         .readers = For::programs,
                         .json = prefix_ + "figures/*"});
    for (const char* key : {"binding", "next"})
      columns.push_back({.key = key, .readers = For::programs, .json = prefix_ + key});
    for (const char* key : rejection_keys)
      columns.push_back(
          {.key = std::string("rejected_") + key, .readers = For::programs, .json = prefix_ + "rejected/" + key});
  }

  void add_to(std::vector<Cell>& cells, const SearchedCandidate& candidate) const {
    for (const std::string& value : candidate.values) cells.emplace_back(value);
    for (const MeasureId figure : shown_) cells.emplace_back(figure_of(candidate, figure));
    cells.emplace_back(std::string(name_of(candidate.fidelity)));
    cells.emplace_back(texts_of(candidate.settings, [](const Override& one) { return text_of(one); }));
    for (const auto& [figure, of] : known_) cells.push_back(figure_cell(candidate.figures.find(figure, of)));
    cells.push_back(cell_word(candidate.binding));
    cells.push_back(cell_word(candidate.next));
    add_rejection(cells, *search_, candidate.rejection);
  }

 private:
  void add_shown(MeasureId figure) {
    if (std::find(shown_.begin(), shown_.end(), figure) == shown_.end()) shown_.push_back(figure);
  }

  const PlanSearch* search_;
  std::string prefix_;
  std::vector<MeasureId> shown_{};
  std::vector<std::pair<MeasureId, std::string>> known_{};
};

/// The numbers of the answer, with the keys that every plan has, so that a reader of one can read the other.
void add_numbers_of_answer(Answer& document, const SearchReport& report) {
  if (!report.search.answer) {
    document.add_facts({}, {{"answer", Cell()}});
    return;
  }
  const SearchedCandidate& answer = *report.search.answer;
  Table table = facts_for_programs({"answer"});
  table.add("candidate", answer.index);
  CandidateColumns columns(report.search);
  columns.add_to(table.columns);
  columns.add_to(table.rows.front(), answer);
  const auto* jobs_per_gpu = answer.figures.find(measure("jobs_per_gpu"));
  const double streams_per_job = report.facts.clients / report.facts.jobs;
  for (const char* end : {"value", "low", "high"}) {
    table.add(std::string("streams_per_gpu/") + end,
              jobs_per_gpu == nullptr ? Cell() : Cell(streams_per_job * jobs_per_gpu->value.mean));
    table.add(std::string("jobs_per_gpu/") + end, jobs_per_gpu == nullptr ? Cell() : Cell(jobs_per_gpu->value.mean));
  }
  table.add("streams_per_job", streams_per_job);
  table.add("jobs", mean_cell(answer, measure("jobs")));
  table.add("gpus", mean_cell(answer, measure("gpus")));
  Cell slowdown;
  if (const auto* excess_time = answer.figures.find(measure("slowdown"))) {
    // Figures say by how much, results how many times.
    slowdown = shifted(excess_time->value, 1.0);
  }
  table.add("slowdown", std::move(slowdown));
  table.add("cost_per_million_events", mean_cell(answer, measure("cost_per_million")));
  table.add("next_at_jobs", answer.next.empty() ? Cell() : Cell(answer.next_at_jobs));
  table.add("run", cell_word(report.run_command));
  document.add(std::move(table));
  add_waits(document, answer.waits, {"answer"});
}

void add_variables(Answer& document, const PlanSearch& search) {
  const For with_answer = search.answer ? For::everyone : For::programs;
  Table table{.place = {"variables"},
              .caption = search.variables.empty() ? "" : "What was free",
              .columns = {{.key = "name", .title = "free"},
                          {.title = "chosen", .readers = For::people},
                          {.title = "of", .readers = For::people},
                          hidden("values")},
              .readers = with_answer};
  for (std::size_t v = 0; v < search.variables.size(); ++v) {
    const FreeVariable& variable = search.variables[v];
    table.add_row({variable.name, search.answer ? search.answer->values.at(v) : std::string(), choices_text(variable),
                   texts_of(variable.values, [](const FreeValue& value) { return value.text; })});
  }
  document.add(std::move(table));
}

void add_requirements(Answer& document, const PlanSearch& search) {
  Table table{.place = {"requirements"},
              .caption = "Requirements",
              .columns = {{.key = "text", .title = "required"},
                          hidden("figure"),
                          hidden("of"),
                          hidden("at_most"),
                          hidden("limit"),
                          {.title = "has", .shown = Shown::number, .readers = For::people},
                          hidden("has"),
                          {.title = "margin", .shown = Shown::number, .readers = For::people},
                          hidden("margin"),
                          {.readers = For::people}},
              .readers = search.answer ? For::everyone : For::programs};
  for (const Requirement& requirement : search.requirements) {
    std::vector<Cell> cells{requirement.text, requirement.figure->key(), cell_word(requirement.of), requirement.at_most,
                            requirement.limit};
    const auto* entry = search.answer ? search.answer->figures.find(requirement.figure, requirement.of) : nullptr;
    if (entry == nullptr) {
      for (const Cell& one : {Cell(no_value), Cell(), Cell(no_value), Cell(), Cell()}) cells.push_back(one);
    } else {
      const double beyond = excess(requirement, entry->value.mean);
      const double worst = excess(requirement, requirement.at_most ? entry->value.high : entry->value.low);
      cells.emplace_back(figure_text(requirement.figure, entry->value));
      cells.emplace_back(entry->value);
      cells.emplace_back(signed_percent_text(-beyond));
      cells.emplace_back(-beyond);
      cells.emplace_back(std::string(beyond > 0.0 ? "missed" : worst > 0.0 ? "its interval reaches beyond" : ""));
    }
    table.add_row(std::move(cells));
  }
  document.add(std::move(table));
}

void add_named(Answer& document, const PlanSearch& search) {
  const CandidateColumns shared(search);
  Table table{.place = {"named"},
              .caption = "Three ways to choose",
              .shape = JsonShape::by_name,
              .columns = {{.key = "name", .title = "if you want the"}}};
  shared.add_to(table.columns);
  table.columns.push_back(hidden("candidate"));
  table.columns.push_back(hidden("remark"));
  Table none{.place = {"named"},
             .shape = JsonShape::by_name,
             .columns = {hidden("name"), hidden("remark")},
             .readers = For::programs};
  std::vector<std::pair<std::string, std::string>> remarks;
  for (const NamedAnswer& one : search.named) {
    remarks.emplace_back(one.name, one.remark);
    std::vector<Cell> cells{one.name};
    if (one.candidate) {
      shared.add_to(cells, *one.candidate);
      cells.emplace_back(one.candidate->index);
    }
    cells.push_back(cell_word(one.remark));
    (one.candidate ? table : none).add_row(std::move(cells));
  }
  document.add(std::move(table));
  document.add(std::move(none));
  document.remark(remarks);
}

std::string rejected_words(RejectionKind kind) {
  switch (kind) {
    case RejectionKind::invalid:
      return "are no valid scenario";
    case RejectionKind::bound:
      return "miss a requirement by the bound alone";
    case RejectionKind::cannot_win:
      return "cannot be better than the answer, by the bound";
    case RejectionKind::implied:
      return "follow from one with more of the same that failed";
    case RejectionKind::screened:
      return "miss a requirement in a short run, by far more than its noise";
    case RejectionKind::simulated:
      return "miss a requirement when simulated";
    case RejectionKind::undecided:
      return "stay undecided: the interval of a required figure holds the limit";
    case RejectionKind::worse:
      return "meet everything, but are not better by more than " + percent_text(objective_resolution);
    case RejectionKind::failed:
      return "gave no result when simulated";
    case RejectionKind::out_of_budget:
      return "were not decided when time was over";
  }
  return "";
}

void add_counts(Answer& document, const PlanSearch& search) {
  document.add_facts({"search"}, {{"candidates", search.candidates},
                                  {"simulations", search.simulations},
                                  {"simulated_requests", search.simulated_requests},
                                  {"complete", search.complete},
                                  {"ways_out_complete", search.ways_out_complete}});
  Table rejected = facts_for_programs({"search", "rejected"});
  Table table{.caption = counted(search.candidates, "candidate") + ", " + counted(search.simulations, "simulation") +
                         " with " + counted(search.simulated_requests, "request"),
              .columns = {{.title = "candidates", .shown = Shown::whole}, {.title = "that"}, {.title = "kind"}},
              .readers = For::people};
  if (search.answer) table.add_row({std::uint64_t{1}, std::string("is the answer"), std::string()});
  for (const auto& [kind, count] : search.counts) {
    rejected.columns.push_back(hidden(std::string(name_of(kind))));
    rejected.rows.front().emplace_back(count);
    if (count > 0) table.add_row({count, rejected_words(kind), std::string(name_of(kind))});
  }
  document.add(std::move(rejected));
  Table undecided{.place = {"search", "undecided_better"},
                  .columns = {hidden("candidate"), hidden("says")},
                  .readers = For::programs};
  for (const std::uint64_t one : search.undecided_better)
    undecided.add_row({one, rejection_text(search, search.rejections.at(one))});
  document.add(std::move(undecided));
  document.add(std::move(table));
}

/// In a word or two: the table of kinds has the sentences, programs have the numbers.
std::string short_reason(const PlanSearch& search, const SearchedCandidate& candidate) {
  if (!candidate.rejection) return "the answer";
  std::string text(name_of(candidate.rejection->kind));
  if (candidate.rejection->requirement) text += ": " + search.requirements.at(*candidate.rejection->requirement).text;
  return text;
}

/// The answer first, then what meets everything, then the rest; in each, what was looked at more closely first, then by
/// the objective.
std::vector<const SearchedCandidate*> by_merit(const PlanSearch& search) {
  std::vector<const SearchedCandidate*> order;
  for (const SearchedCandidate& one : search.looked_at) order.push_back(&one);
  const auto rank = [&](const SearchedCandidate* one) {
    const auto* entry = one->figures.find(search.objective.figure);
    const double value = entry == nullptr ? 0.0 : entry->value.mean;
    const int merit = !one->rejection ? 0 : one->rejection->kind == RejectionKind::worse ? 1 : 2;
    return std::make_tuple(merit, -static_cast<int>(one->fidelity), search.objective.least ? value : -value);
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  return order;
}

void add_looked_at(Answer& document, const PlanSearch& search) {
  const std::vector<const SearchedCandidate*> order = by_merit(search);
  const CandidateColumns shared(search);
  Table table{.place = {"candidates"},
              .caption = "Looked at most closely",
              .columns = {hidden("candidate")},
              .first_rows = most_shown};
  if (order.size() > most_shown)
    table.more_rows = "and " + whole_text(order.size() - most_shown) + " more; --format json and csv have them all";
  shared.add_to(table.columns);
  table.columns.push_back({.title = "known by", .readers = For::people});
  table.columns.push_back({.title = "why not", .readers = For::people});
  for (const SearchedCandidate* one : order) {
    std::vector<Cell> cells{one->index};
    shared.add_to(cells, *one);
    cells.emplace_back(std::string(name_of(one->fidelity)));
    cells.emplace_back(short_reason(search, *one));
    table.add_row(std::move(cells));
  }
  document.add(std::move(table));
}

void add_relaxations(Answer& document, const PlanSearch& search) {
  const CandidateColumns shared(search, "candidate/");
  Table table{.place = {"relaxations"},
              .caption = search.relaxations.empty() ? "" : "What would make it possible, cheapest first",
              .columns = {{.key = "requirement", .title = "to give way"},
                          {.title = "needed", .shown = Shown::number, .readers = For::people},
                          hidden("needed_limit"),
                          {.key = "relative", .title = "by", .shown = Shown::percent},
                          {.key = "known_by", .title = "known by"},
                          {.key = "candidate", .readers = For::programs, .json = "candidate/candidate"}}};
  shared.add_to(table.columns);
  for (const Relaxation& one : search.relaxations) {
    const Requirement& requirement = search.requirements.at(one.requirement);
    std::vector<Cell> cells{requirement.text, limit_text(requirement, one.needed_limit),
                            one.needed_limit, one.relative,
                            known_by(one),    one.candidate.index};
    shared.add_to(cells, one.candidate);
    table.add_row(std::move(cells));
  }
  document.add(std::move(table));
}

void add_rejections(Answer& document, const PlanSearch& search) {
  const bool typed = search.rejections.size() <= most_typed_rejections;
  Table table{.place = {"rejections"}, .columns = {hidden("candidate"), hidden("says")}, .readers = For::programs};
  if (typed)
    for (const char* key : rejection_keys) table.columns.push_back(hidden(key));
  for (std::uint64_t c = 0; c < search.rejections.size(); ++c) {
    const bool is_answer = search.answer && search.answer->index == c;
    std::vector<Cell> cells{c, is_answer ? std::string("the answer") : rejection_text(search, search.rejections[c])};
    if (typed) add_rejection(cells, search, search.rejections[c]);
    table.add_row(std::move(cells));
  }
  document.add(std::move(table));
}

}  // namespace

Answer search_answer(const SearchReport& report) {
  const PlanSearch& search = report.search;
  Answer document{.title = report.facts.title, .provenance = report.provenance};
  add_search_screen(document, report);
  say_laws(document, report.facts);
  say_starving(document, report.facts);
  add_relaxations(document, search);
  if (!sentence_of(report)) {
    document.add_facts({}, {{"sentence", Cell()}});
  }
  add_numbers_of_answer(document, report);
  const std::optional<SaturationFormula> formula = report.chosen ? formula_in_scope(*report.chosen) : std::nullopt;
  document.add_facts({"formula"}, {{"streams_per_gpu", formula ? Cell(formula->streams_per_gpu()) : Cell()},
                                   {"event_time_s", formula ? Cell(formula->event_time_s()) : Cell()}});
  document.add_facts(
      {"objective"},
      {{"name", search.objective.name}, {"figure", search.objective.figure->key()}, {"least", search.objective.least}});
  add_variables(document, search);
  add_requirements(document, search);
  add_named(document, search);
  add_counts(document, search);
  add_looked_at(document, search);
  add_rejections(document, search);
  add_bottlenecks(document, report.facts, {}, {});
  if (report.sensitivity) add_sensitivity(document, *report.sensitivity);
  if (report.falsification) add_falsification(document, *report.falsification, report.facts);
  document.add_facts({}, {{"notes", report.notes}});
  if (!search.answer) return document;
  document.detail("The answer, simulated in full: " + report.run_command);
  const bool may_simulate = !report.search.formulas_alone;
  if (!report.sensitivity && may_simulate) document.more.emplace_back("--sensitivity");
  if (!report.falsification && may_simulate) document.more.emplace_back("--falsify");
  document.more.push_back(report.run_command);
  return document;
}

}  // namespace saturn
