#include "sim/study/reply.hpp"

#include <utility>

#include "models/words/texts.hpp"
#include "reports/run/check_report.hpp"

namespace saturn {

Reply reply_with_text(const std::string& text) {
  Answer answer{.says_provenance = false};
  answer.say(std::string(trimmed_end(text, "\n")));
  answer.json_file = answer.csv_file = [text] { return text; };
  return {.answer = std::move(answer)};
}

Reply reply_without_plan(const std::string& why, Provenance provenance) {
  return {.answer = no_plan_answer(why, std::move(provenance)), .exit_code = ExitCode::no_plan};
}

}  // namespace saturn
