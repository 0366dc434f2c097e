#include "sim/study/option_quantity.hpp"

#include <charconv>

#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "sim/plan/question/requirement.hpp"

namespace saturn {

namespace {

constexpr double least_memory_bytes = 64e6;
constexpr double most_memory_bytes = 0x1p62;
constexpr double most_fraction = 100.0;
constexpr double default_slowdown = 0.01;

[[noreturn]] void complain(const std::string& option, const std::string& text, const std::string& code,
                           const std::string& allowed) {
  throw InputError(
      {{.source = option, .code = code, .text = option + " is \"" + text + "\"; " + allowed, .excerpt = ""}});
}

double parse(const std::string& option, const std::string& text, Dimension dimension, const std::string& allowed) {
  const ReadQuantity read = read_quantity(text, dimension);
  if (read.reading == QuantityReading::good && read.value > 0.0) return read.value;
  complain(option, text, "option.not_a_quantity", allowed);
}

}  // namespace

Seconds parse_duration(const std::string& option, const std::string& text) {
  return Seconds{parse(option, text, Dimension::duration,
                       "a duration above 0 needs its unit (ms, s, min, h), for example \"600 s\".")};
}

std::uint64_t parse_memory(const std::string& option, const std::string& text) {
  const double bytes =
      parse(option, text, Dimension::size, "a size above 0 needs its unit (MB, GB, MiB, GiB), for example \"8 GB\".");
  if (bytes < least_memory_bytes || bytes > most_memory_bytes) {
    complain(option, text, "option.out_of_range", "allowed is 64 MB to 4 EiB.");
  }
  return static_cast<std::uint64_t>(bytes);
}

UsdPerHour parse_price(const std::string& option, const std::string& text) {
  return UsdPerHour{
      parse(option, text, Dimension::price, "a price above 0 needs its unit (USD/h), for example \"0.03 USD/h\".")};
}

double parse_fraction(const std::string& option, const std::string& text) {
  double fraction = 0.0;
  const char* end = text.data() + text.size();
  const auto bare = std::from_chars(text.data(), end, fraction);
  const bool is_bare = bare.ec == std::errc{} && bare.ptr == end && fraction > 0.0;
  if (!is_bare) {
    fraction = parse(option, text, Dimension::ratio, "a share above 0 is written as \"1 %\" or 0.01.");
  }
  if (!(fraction <= most_fraction)) complain(option, text, "option.out_of_range", "allowed is up to 10000 %.");
  return fraction;
}

double parse_slowdown(const std::optional<std::string>& text) {
  if (!text) return default_slowdown;
  if (const auto bare = bare_slowdown(*text)) refuse_input("--slowdown", "require.bare_slowdown", *bare);
  return parse_fraction("--slowdown", *text);
}

double parse_loss(const std::optional<std::string>& text) {
  const double loss = parse_fraction("--loss", text.value_or("0.1 %"));
  if (!(loss < 1.0))
    refuse_input("--loss " + *text, "option.out_of_range", "A plan may lose less than 100 % of the events.");
  return loss;
}

}  // namespace saturn
