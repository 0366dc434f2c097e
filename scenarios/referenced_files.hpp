#pragma once

#include <filesystem>

#include "scenarios/complaint_list.hpp"
#include "scenarios/document.hpp"
#include "scenarios/text_files.hpp"

/// Files that a scenario names, put into its document before it is decoded, so that complaints point into them.
namespace saturn {

/// Adds to every model with "triton_config" the keys that it lacks and that file gives, and puts in the place of every
/// service law { "file": ... } the law that the file holds. Paths are relative to `folder`; the path of "triton_config"
/// is replaced by the joined one.
/// Codes: scenario.missing_file, .not_a_file, .unreadable_file, .too_large, .empty_file, .binary_file, .not_utf8, those
/// of parse_triton_config() and parse_document()
void include_referenced_files(Document& document, const std::filesystem::path& folder, ComplaintList& complaints);

/// Removes the references that have been followed, so that the document stands for itself.
void forget_references(Node& root);

}  // namespace saturn
