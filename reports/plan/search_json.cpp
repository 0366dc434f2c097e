#include <nlohmann/json.hpp>

#include <cmath>

#include "models/words/texts.hpp"
#include "reports/plan/falsification_report.hpp"
#include "reports/plan/search_report.hpp"
#include "reports/plan/sensitivity_report.hpp"
#include "reports/tables/csv_rows.hpp"
#include "reports/tables/facts_json.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_rejections = 20'000;

Json json_figures(const CandidateFigures& figures) {
  Json json = Json::object();
  for (const CandidateFigures::Entry& entry : figures.entries) {
    std::string key = entry.figure->key();
    if (!entry.of.empty()) key += ":" + entry.of;
    json[key] = entry.exact() ? json_number<Json>(entry.value.mean) : json_estimate<Json>(entry.value);
  }
  return json;
}

Json json_values(const PlanSearch& search, const std::vector<std::string>& values) {
  Json json = Json::object();
  for (std::size_t v = 0; v < values.size(); ++v) json[search.variables.at(v).name] = values[v];
  return json;
}

Json json_rejection(const PlanSearch& search, const Rejection& rejection) {
  Json json = Json::object();
  json["kind"] = std::string(name_of(rejection.kind));
  if (rejection.requirement) {
    json["requirement"] = search.requirements.at(*rejection.requirement).text;
    json["value"] = json_number<Json>(rejection.value);
    if (rejection.interval) json["interval"] = json_estimate<Json>(*rejection.interval);
  }
  if (!rejection.binding.empty()) json["binding"] = rejection.binding;
  if (rejection.than) json["than"] = *rejection.than;
  if (!rejection.words.empty()) json["words"] = rejection.words;
  return json;
}

Json json_candidate(const PlanSearch& search, const SearchedCandidate& candidate) {
  Json json = Json::object();
  json["candidate"] = candidate.index;
  json["values"] = json_values(search, candidate.values);
  json["settings"] = texts_of(candidate.settings);
  json["known_by"] = std::string(name_of(candidate.fidelity));
  json["figures"] = json_figures(candidate.figures);
  json["binding"] = json_word<Json>(candidate.binding);
  json["next"] = json_word<Json>(candidate.next);
  json["rejected"] = candidate.rejection ? json_rejection(search, *candidate.rejection) : Json(nullptr);
  return json;
}

Json figure_or_null(const SearchedCandidate& candidate, MeasureId figure) {
  const auto* entry = candidate.figures.find(figure);
  return entry == nullptr ? Json(nullptr) : json_number<Json>(entry->value.mean);
}

/// The keys that every plan has, so that a reader of one can read the other.
Json json_answer(const SearchReport& report, const SearchedCandidate& answer) {
  Json json = Json::object();
  const Json jobs_per_gpu = figure_or_null(answer, measure("jobs_per_gpu"));
  const double clients_per_job = report.facts.clients / report.facts.jobs;
  for (const char* key : {"value", "low", "high"}) {
    json["clients_per_gpu"][key] =
        jobs_per_gpu.is_null() ? Json(nullptr) : json_number<Json>(clients_per_job * jobs_per_gpu.get<double>());
    json["jobs_per_gpu"][key] = jobs_per_gpu;
  }
  json["clients_per_job"] = json_number<Json>(clients_per_job);
  json["jobs"] = figure_or_null(answer, measure("jobs"));
  json["gpus"] = figure_or_null(answer, measure("gpus"));
  const auto* slowdown = answer.figures.find(measure("slowdown"));
  if (slowdown == nullptr) {
    json["slowdown"] = nullptr;
  } else {
    // Figures say by how much, results how many times.
    Estimate times = slowdown->value;
    times.mean += 1;
    times.low += 1;
    times.high += 1;
    json["slowdown"] = json_estimate<Json>(times);
  }
  json["cost_per_million_events"] = figure_or_null(answer, measure("cost_per_million"));
  json["binding"] = json_word<Json>(answer.binding);
  json["next"] = json_word<Json>(answer.next);
  json["next_at_jobs"] = answer.next.empty() ? Json(nullptr) : json_number<Json>(answer.next_at_jobs);
  json.update(json_candidate(report.search, answer));
  json["waits"] = Json::array();
  for (const WaitingPart& part : answer.waits)
    json["waits"].push_back({{"what", part.what}, {"per_event_s", part.per_event_s}});
  json["run"] = json_word<Json>(report.run_command);
  return json;
}

Json json_requirements(const PlanSearch& search) {
  Json json = Json::array();
  for (std::size_t i = 0; i < search.requirements.size(); ++i) {
    const Requirement& requirement = search.requirements[i];
    Json one = {{"text", requirement.text},
                {"figure", requirement.figure->key()},
                {"of", json_word<Json>(requirement.of)},
                {"at_most", requirement.at_most},
                {"limit", json_number<Json>(requirement.limit)}};
    if (search.answer) {
      const auto* entry = search.answer->figures.find(requirement.figure, requirement.of);
      one["has"] = entry == nullptr ? Json(nullptr) : json_estimate<Json>(entry->value);
    }
    json.push_back(std::move(one));
  }
  return json;
}

Json json_named(const PlanSearch& search) {
  Json json = Json::object();
  for (const NamedAnswer& one : search.named) {
    Json row = one.candidate ? json_candidate(search, *one.candidate) : Json::object();
    row["remark"] = json_word<Json>(one.remark);
    json[one.name] = std::move(row);
  }
  return json;
}

Json json_relaxations(const PlanSearch& search) {
  Json json = Json::array();
  for (const Relaxation& one : search.relaxations)
    json.push_back({{"requirement", search.requirements.at(one.requirement).text},
                    {"needed_limit", json_number<Json>(one.needed_limit)},
                    {"relative", json_number<Json>(one.relative)},
                    {"known_by", one.simulated ? "simulation" : "bound"},
                    {"candidate", json_candidate(search, one.candidate)}});
  return json;
}

Json json_counts(const PlanSearch& search) {
  Json json = Json::object();
  for (const auto& [kind, count] : search.counts) json[std::string(name_of(kind))] = count;
  return json;
}

}  // namespace

std::string search_json(const SearchReport& report) {
  const PlanSearch& search = report.search;
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  const std::optional<PlanSentence> sentence = sentence_of(report);
  document["sentence"] = sentence ? Json(plan_sentence(*sentence)) : Json(nullptr);
  document["answer"] = search.answer ? json_answer(report, *search.answer) : Json(nullptr);
  document["formula"] = json_formula<Json>(report.chosen ? formula_in_scope(*report.chosen) : std::nullopt);
  document["objective"] = {
      {"name", search.objective.name}, {"figure", search.objective.figure->key()}, {"least", search.objective.least}};
  document["requirements"] = json_requirements(search);
  document["named"] = json_named(search);
  document["relaxations"] = json_relaxations(search);
  document["variables"] = Json::array();
  for (const FreeVariable& one : search.variables) {
    std::vector<std::string> values;
    for (const FreeValue& value : one.values) values.push_back(value.text);
    document["variables"].push_back({{"name", one.name}, {"values", values}});
  }
  document["search"] = {{"candidates", search.candidates},   {"rejected", json_counts(search)},
                        {"simulations", search.simulations}, {"simulated_requests", search.simulated_requests},
                        {"complete", search.complete},       {"undecided_better", search.undecided_better}};
  document["candidates"] = Json::array();
  for (const SearchedCandidate& one : search.looked_at) document["candidates"].push_back(json_candidate(search, one));
  if (search.rejections.size() <= most_rejections) {
    document["rejections"] = Json::array();
    for (const Rejection& one : search.rejections) document["rejections"].push_back(json_rejection(search, one));
  }
  document["knees"] = json_knees<Json>(report.facts);
  if (report.sensitivity) document["sensitivity"] = json_sensitivity<Json>(*report.sensitivity);
  if (report.falsification) document["falsify"] = json_falsification<Json>(*report.falsification);
  document["notes"] = report.notes;
  return json_document(document);
}

namespace {

void add_candidate(CsvRows& rows, const std::string& section, const std::string& name, const PlanSearch& search,
                   const SearchedCandidate& candidate) {
  for (std::size_t v = 0; v < candidate.values.size(); ++v)
    rows.add(section, name, search.variables.at(v).name, candidate.values[v]);
  rows.add(section, name, "known_by", std::string(name_of(candidate.fidelity)));
  for (const CandidateFigures::Entry& entry : candidate.figures.entries) {
    const std::string key = entry.figure->key() + (entry.of.empty() ? "" : ":" + entry.of);
    if (entry.exact())
      rows.add(section, name, key, entry.value.mean);
    else
      rows.add(section, name, key, entry.value);
  }
}

}  // namespace

std::string search_csv(const SearchReport& report) {
  const PlanSearch& search = report.search;
  CsvRows rows;
  if (search.answer) add_candidate(rows, "answer", std::to_string(search.answer->index), search, *search.answer);
  for (const NamedAnswer& one : search.named)
    if (one.candidate) add_candidate(rows, "named", one.name, search, *one.candidate);
  for (const Relaxation& one : search.relaxations) {
    rows.add("relaxations", search.requirements.at(one.requirement).text, "needed_limit", one.needed_limit);
    rows.add("relaxations", search.requirements.at(one.requirement).text, "relative", one.relative);
  }
  for (const SearchedCandidate& one : search.looked_at)
    add_candidate(rows, "candidates", std::to_string(one.index), search, one);
  for (std::uint64_t c = 0; c < search.rejections.size(); ++c) {
    if (search.answer && search.answer->index == c) continue;
    const Rejection& one = search.rejections[c];
    std::string name = std::to_string(c);
    for (const std::string& value : candidate_values(search, c)) name += " " + value;
    rows.add("rejections", name, std::string(name_of(one.kind)), rejection_text(search, one));
  }
  add_facts(rows, report.facts);
  if (report.sensitivity) add_sensitivity(rows, *report.sensitivity);
  if (report.falsification) add_falsification(rows, *report.falsification);
  return rows.text();
}

namespace {

std::string asked_text(const Requirement& requirement) {
  return (requirement.at_most ? "at most " : "at least ") + figure_text(requirement.figure, requirement.limit);
}

std::string missed(const PlanSearch& search, const Rejection& rejection) {
  if (!rejection.requirement) return "a requirement is missed";
  const Requirement& requirement = search.requirements.at(*rejection.requirement);
  std::string text(requirement.figure->words);
  if (!requirement.of.empty()) text += " of " + requirement.of;
  return text + " is " + figure_text(requirement.figure, rejection.value) + " (" + asked_text(requirement) + ")";
}

std::string undecided(const PlanSearch& search, const Rejection& rejection) {
  const Requirement& requirement = search.requirements.at(rejection.requirement.value());
  std::string text(requirement.figure->words);
  if (!requirement.of.empty()) text += " of " + requirement.of;
  return text + " is " + figure_text(requirement.figure, rejection.interval.value()) +
         ", and the interval holds the limit (" + asked_text(requirement) + ")";
}

std::string saturation(const Rejection& rejection) {
  return rejection.binding.empty() ? "" : "; " + rejection.binding + " saturates first";
}

std::string values_text(const PlanSearch& search, std::uint64_t candidate) {
  return joined(candidate_values(search, candidate));
}

}  // namespace

std::vector<std::string> candidate_values(const PlanSearch& search, std::uint64_t candidate) {
  std::vector<std::string> values(search.variables.size());
  for (std::size_t v = search.variables.size(); v-- > 0;) {
    const std::vector<FreeValue>& choices = search.variables[v].values;
    values[v] = choices.at(candidate % choices.size()).text;
    candidate /= choices.size();
  }
  return values;
}

std::string rejection_text(const PlanSearch& search, const Rejection& rejection) {
  switch (rejection.kind) {
    case RejectionKind::invalid:
      return "no valid scenario: " + rejection.words;
    case RejectionKind::bound:
      return "by the bound alone, " + missed(search, rejection) + saturation(rejection);
    case RejectionKind::cannot_win:
      return "by the bound, " + std::string(search.objective.figure->words) + " cannot be better than " +
             figure_text(search.objective.figure, rejection.value);
    case RejectionKind::implied:
      return "with more of the same, " + missed(search, rejection) +
             (rejection.than ? " (" + values_text(search, *rejection.than) + ")" : "");
    case RejectionKind::screened:
      return "in a short run, " + missed(search, rejection) + saturation(rejection);
    case RejectionKind::simulated:
      return "simulated, " + missed(search, rejection) + saturation(rejection);
    case RejectionKind::undecided:
      return "simulated as long as may be, " + undecided(search, rejection);
    case RejectionKind::worse:
      return "meets everything; " + std::string(search.objective.figure->words) + " is " +
             figure_text(search.objective.figure, rejection.value);
    case RejectionKind::failed:
      return "its simulation gave no result: " + rejection.words;
    case RejectionKind::out_of_budget:
      return "not decided when the budget ended";
  }
  return "";
}

std::string search_progress_text(const PlanSearch& search) {
  if (!search.answer) return "no candidate meets everything so far";
  const SearchedCandidate& best = *search.answer;
  std::string text = best.fidelity == Fidelity::formula || best.fidelity == Fidelity::mva
                         ? "by the " + std::string(name_of(best.fidelity)) + ": "
                         : "simulated: ";
  std::vector<std::string> values;
  for (std::size_t v = 0; v < best.values.size(); ++v)
    values.push_back(search.variables.at(v).name + " = " + best.values[v]);
  text += joined(values);
  if (const auto* entry = best.figures.find(search.objective.figure))
    text += (best.values.empty() ? "" : "; ") + std::string(search.objective.figure->words) + " " +
            figure_text(search.objective.figure, entry->value);
  return text;
}

}  // namespace saturn
