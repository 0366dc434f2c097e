#pragma once

#include <string>
#include <string_view>

namespace saturn {

/// A file's content in a few words, "<size> bytes, FNV-1a <hash>", for the resolved scenario: it tells files apart, not
/// forgeries. Source: Fowler, Noll & Vo, 64 bits; offset basis and prime as in RFC 9923
std::string fingerprint_of(std::string_view text);

}  // namespace saturn
