#include "models/results/measure_reference.hpp"

#include <string_view>
#include <vector>

#include "models/results/measures.hpp"

namespace saturn {

namespace {

struct Chapter {
  Subject subject;
  std::string_view title;
  std::string_view sentences;
  std::string_view json;     ///< where its numbers stand
  std::string_view section;  ///< of the CSV
  std::string_view swept;    ///< what sweeps put before a name
};

constexpr Chapter chapters[] = {
    {Subject::jobs, "Jobs",
     "Of each pool of jobs, and of all pools together: rates and streams are summed, times are means "
     "and quantiles over all their events.",
     "`result`, `result.jobs.NAME`", "`result`, `jobs`", "jobs.NAME."},
    {Subject::stage, "Stages", "Of each stage of a pool's events.", "`result.jobs.NAME.stages[]`", "`jobs`", ""},
    {Subject::model, "Models",
     "Of each model, over all pools and servers. `send_s`, `host_s`, `queue_s`, `compute_s` and `receive_s` add up to "
     "`latency_s`.",
     "`result.models.NAME`", "`models`", "models.NAME."},
    {Subject::resource, "Resources", "Of each device, host, link, network card ...", "`result.resources[]`",
     "`resources`", "resources.NAME."},
    {Subject::run, "Run", "Of everything together.", "`result`", "`result`", ""},
    {Subject::candidate, "Plan",
     "Of a candidate of a search: what is bought, and the worst of its pools, links or servers. Searches also know the "
     "numbers above that have a name for `--require`; those of a model are the worst model's, or that of the one that "
     "is "
     "named.",
     "`figures`", "`answer`, `candidates`, `named`", ""},
};

std::string_view words_of(Better better) {
  switch (better) {
    case Better::less:
      return "less";
    case Better::more:
      return "more";
    case Better::neither:
      break;
  }
  return "";
}

std::string_view words_of(Average average) {
  switch (average) {
    case Average::none:
      return "as its parts";
    case Average::mean:
      return "mean";
    case Average::signed_mean:
      return "mean, of either sign";
    case Average::mean_time:
      return "mean; batch means of a lone one";
    case Average::rate_of_events:
      return "mean; batch means of a lone one; the interval holds streams over event time";
    case Average::ratio:
      return "ratio of sums";
    case Average::share:
      return "ratio of sums, 0 of nothing";
    case Average::median:
    case Average::p95:
    case Average::p99:
      return "mean, on a logarithmic scale";
    case Average::constant:
      return "exact";
    case Average::exact_mean:
      return "exact mean";
    case Average::largest:
      return "largest";
  }
  return "";
}

std::string code(std::string_view text) {
  return text.empty() ? "" : "`" + std::string(text) + "`";
}

/// What a requirement of it may name, when not of all together.
std::string_view named_in_requirement(const Measure& measure) {
  if (measure.subject == Subject::jobs || measure.name == "slowdown") return "POOL";
  if (!measure.of_each) return "";
  if (measure.subject == Subject::model) return "MODEL";
  return measure.name == "network_share" ? "LINK" : "SERVER";
}

std::string json_place(const Measure& measure) {
  std::string path(measure.json);
  if (path.empty()) path = measure.key();
  if (path.back() == '/') path += "mean";
  for (char& c : path)
    if (c == '/') c = '.';
  return path;
}

std::string swept_name(const Chapter& chapter, const Measure& measure) {
  if (measure.swept == Swept::no) return "";
  return (measure.swept == Swept::of_each ? std::string(chapter.swept) : "") + measure.key();
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string chapter_text(const Chapter& chapter) {
  std::string text = "\n## " + std::string(chapter.title) + "\n\n" + std::string(chapter.sentences) +
                     " In JSON: " + std::string(chapter.json) +
                     "; section of the CSV: " + std::string(chapter.section) + ".\n\n";
  text += row({"key", "number", "unit", "better", "over replications", "JSON", "sweeps", "`--require`"});
  text += "|---|---|---|---|---|---|---|---|\n";
  for (const MeasureId id : measures_where([&](const Measure& one) { return one.subject == chapter.subject; })) {
    text += row({code(id->key()), std::string(id->words), std::string(text_of(id->unit).symbol),
                 std::string(words_of(id->better)), std::string(words_of(id->average)), code(json_place(*id)),
                 code(swept_name(chapter, *id)), code(required_name(*id))});
  }
  return text;
}

}  // namespace

std::string measure_reference() {
  std::string text =
      "# Numbers of a run\n\n"
      "What every number is that `run`, `plan` and sweeps print, and where it stands. Written by `saturn schema "
      "--measures` "
      "from the table in `models/results/measures.hpp`: a number is one row there, and appears everywhere.\n\n"
      "The key of a number is its name with its unit: so it is called in JSON and CSV. Numbers of drawn runs have the "
      "interval `low` to `high` that holds the long-run value with the confidence `confidence`; exact ones have none. "
      "A "
      "quantile beyond which a replication has fewer than 5 events is withheld.\n";
  for (const Chapter& chapter : chapters) text += chapter_text(chapter);
  text += "\nObjectives of `plan --objective`:\n\n| objective | number |\n|---|---|\n";
  std::vector<MeasureId> objectives = measures_where([](const Measure& one) { return one.objective > 0; });
  std::sort(objectives.begin(), objectives.end(), [](MeasureId a, MeasureId b) { return a->objective < b->objective; });
  for (const MeasureId id : objectives)
    text += row({code(id->objective_name),
                 (id->better == Better::less ? "least " : "most ") + code(id->name) + ": " + std::string(id->words)});
  return text;
}

std::string required_name(const Measure& measure) {
  if (!measure.required) return "";
  const std::string_view one = named_in_requirement(measure);
  return std::string(measure.name) + (one.empty() ? "" : "[(" + std::string(one) + ")]");
}

}  // namespace saturn
