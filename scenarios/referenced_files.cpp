#include "scenarios/referenced_files.hpp"

#include <optional>
#include <string>
#include <utility>

#include "scenarios/parse_document.hpp"
#include "scenarios/text_files.hpp"
#include "scenarios/triton_fields.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

namespace {

constexpr FilePurpose triton_purpose{"a Triton model configuration",
                                     "Name the model's config.pbtxt, relative to this file, or give its values here."};
constexpr FilePurpose law_purpose{"a service law in JSON",
                                  "Name a file with a service law, relative to this file, or write the law here."};

class ReferencedFiles {
 public:
  ReferencedFiles(Document& document, const std::filesystem::path& folder, ComplaintList& complaints)
      : document_(document), complaints_(complaints), texts_(document, folder, complaints) {}

  void fill_model(Node& model, const std::string& pointer) {
    if (Node* config = child(model, "triton_config"); config != nullptr && config->kind == NodeKind::text)
      fill_from_config(model, *config, pointer);
    Node* service = child(model, "service");
    if (service == nullptr || service->kind != NodeKind::object) return;
    for (Node& law : service->children) replace_law(law, pointer + "/service/" + escape_pointer(law.key));
  }

 private:
  static Node* child(Node& parent, const char* key) {
    const Node* found = parent.find(key);
    return found == nullptr ? nullptr : &parent.children[static_cast<std::size_t>(found - parent.children.data())];
  }

  void fill_from_config(Node& model, Node& path, const std::string& pointer) {
    const std::optional<std::size_t> source = texts_.load(path, pointer + "/triton_config", triton_purpose);
    path.text = texts_.joined(path.text);
    if (source && read_config(model, *source, pointer)) return;
    // What the file would have said is not known, so nothing else can be wrong with this model.
    complaints_.distrust(pointer);
    fill_from_triton(model, {}, path.place.source);
  }

  /// False after a complaint.
  bool read_config(Node& model, std::size_t source, const std::string& pointer) {
    const ParsedTriton parsed = parse_triton_config(document_.sources[source].text);
    for (const SyntaxFault& fault : parsed.warnings)
      complaints_.warn({source, fault.offset}, "", fault.code, fault.text);
    if (parsed.fault) {
      complaints_.refuse({source, parsed.fault->offset}, pointer, parsed.fault->code, parsed.fault->text);
      return false;
    }
    for (const SyntaxFault& fault : fill_from_triton(model, parsed.config, source))
      complaints_.warn({source, fault.offset}, "", fault.code, fault.text);
    return true;
  }

  void replace_law(Node& law, const std::string& pointer) {
    const Node* path = law.find("file");
    if (path == nullptr || path->kind != NodeKind::text) return;
    const std::string file_at = pointer + "/file";
    if (law.children.size() > 1) {
      complaints_.refuse(path->key_place, file_at, "scenario.law_beside_file",
                         pointer +
                             " has other keys beside \"file\"; the file holds the whole law: leave out \"file\" or "
                             "the others.");
      return;
    }
    const std::optional<std::size_t> source = texts_.load(*path, file_at, law_purpose);
    if (!source) return;
    ParsedText parsed = parse_document(document_.sources[*source].text, *source);
    for (const SyntaxFault& fault : parsed.faults)
      complaints_.refuse({*source, fault.offset}, file_at, fault.code, fault.text);
    if (!parsed.complete) return;
    if (const Node* nested = parsed.root.find("file"); nested != nullptr) {
      complaints_.refuse(nested->key_place, file_at, "scenario.nested_law_file",
                         "A law file holds the law itself, not the name of another file.");
      return;
    }
    parsed.root.key = std::move(law.key);
    parsed.root.key_place = law.key_place;
    law = std::move(parsed.root);
  }

  Document& document_;
  ComplaintList& complaints_;
  TextFiles texts_;
};

}  // namespace

void include_referenced_files(Document& document, const std::filesystem::path& folder, ComplaintList& complaints) {
  ReferencedFiles files(document, folder, complaints);
  for (Node& section : document.root.children) {
    if (document.root.kind != NodeKind::object || section.key != "models" || section.kind != NodeKind::object) continue;
    for (Node& model : section.children)
      if (model.kind == NodeKind::object) files.fill_model(model, "/models/" + escape_pointer(model.key));
  }
}

void forget_references(Node& root) {
  for (Node& section : root.children)
    if (section.key == "models")
      for (Node& model : section.children)
        std::erase_if(model.children, [](const Node& child) { return child.key == "triton_config"; });
}

}  // namespace saturn
