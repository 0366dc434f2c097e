#include "calibration/files_given.hpp"

#include <map>
#include <utility>

#include "calibration/import/load_point_rules.hpp"

namespace saturn {

void refuse_doubles(std::span<const MeasuredFile> files) {
  std::map<std::string, std::string> first_with;
  std::vector<Complaint> complaints;
  for (const MeasuredFile& file : files) {
    const auto [known, fresh] = first_with.emplace(file.sha256, file.path);
    if (fresh) continue;
    complaints.push_back({.source = file.path,
                          .code = "calibration.same_file",
                          .text = "This file holds the same bytes as " + known->second +
                                  "; the same measurements twice are no further ones: name it once.",
                          .excerpt = ""});
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
}

void set_batches(std::span<MeasuredFile> files, double batch) {
  for (MeasuredFile& file : files) {
    if (file.loads.empty()) continue;
    for (LoadPoint& load : file.loads) {
      if (load.batch_from == BatchOrigin::given) continue;
      load.request_batch = batch;
      load.batch_from = BatchOrigin::given;
    }
    // What was said of the rows when their items were not known.
    drop_batch_notes(file);
    apply_littles_law(file, 0);
  }
}

}  // namespace saturn
