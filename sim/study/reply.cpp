#include "sim/study/reply.hpp"

#include <utility>

#include "reports/run/check_report.hpp"

namespace saturn {

Reply reply_without_plan(const std::string& why, Provenance provenance) {
  return {.answer = no_plan_answer(why, std::move(provenance)), .exit_code = ExitCode::no_plan};
}

}  // namespace saturn
