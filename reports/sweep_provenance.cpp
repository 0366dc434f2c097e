#include "reports/sweep_provenance.hpp"

#include <nlohmann/json.hpp>

#include "reports/json_parts.hpp"

namespace saturn {

std::string sweep_provenance_json(const Provenance& provenance, const std::string& title, const std::string& answer,
                                  const std::vector<AxisColumn>& axes, std::uint64_t points) {
  using Json = nlohmann::ordered_json;
  Json document;
  document["provenance"] = json_provenance<Json>(provenance);
  Json sweep;
  sweep["title"] = title;
  sweep["answer"] = answer;
  sweep["points"] = points;
  for (const AxisColumn& axis : axes)
    sweep["axes"].push_back({{"pointer", axis.pointer}, {"column", axis.head()}, {"unit", axis.unit}});
  document["sweep"] = std::move(sweep);
  return json_document(document);
}

}  // namespace saturn
