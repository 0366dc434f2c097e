#pragma once

#include <map>
#include <string>

namespace saturn {

/// What stands in the places of names.
using TemplateValues = std::map<std::string, std::string, std::less<>>;

/// A file of reports/deployment/templates/, which are compiled into the program, with the values in the places of
/// "@name@". Values are not looked at again.
/// @param name  without ".in": "slurm-shard.sh"
/// @throws std::logic_error  no such file, or a name without a value
std::string filled_template(const std::string& name, const TemplateValues& values);

}  // namespace saturn
