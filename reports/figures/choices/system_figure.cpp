#include "reports/figures/choices/system_figure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

// Heights of what stands in a box, and between boxes [pixels]; widths are shares of the figure, whatever it is wide.
constexpr double text_line = 16.0;
constexpr double bar_height = 6.0;
constexpr double device_height = 11.0;
constexpr double pad = 8.0;
constexpr double below_name = 4.0;  ///< so that a frame does not cut it
constexpr double between_rows = 74.0;
constexpr double loop_depth = 26.0;
constexpr std::size_t boxes_in_row = 3;
constexpr std::size_t most_boxes = 9;
constexpr std::uint64_t most_devices_drawn = 16;
constexpr double gap = 0.03;
constexpr double inner_margin = 0.014;
constexpr double percent_of = 100.0;
constexpr std::size_t longest_name = 26;

/// Where a site's box stands.
struct Box {
  double left = 0.0;
  double right = 0.0;
  double top = 0.0;
  double bottom = 0.0;
  std::size_t row = 0;
  bool drawn = false;

  double middle() const { return (left + right) / 2; }
};

double height_of(const DrawnPart& part) {
  return text_line + (part.units > 0 ? device_height + 4.0 : 0.0) + bar_height + 4.0;
}

double height_of(const DrawnSite& site) {
  double height = 2 * pad + text_line + text_line * static_cast<double>(site.jobs.size());
  for (const DrawnGroup& group : site.groups) {
    if (!group.name.empty()) height += text_line + below_name;
    for (const DrawnPart& part : group.parts) height += height_of(part);
  }
  return height;
}

/// 0: jobs stand at the top; 1: what only joins others; 2: what only serves.
std::size_t rank_of(const DrawnSite& site) {
  if (!site.jobs.empty()) return 0;
  return site.serves ? 2 : 1;
}

std::string busy_text(const DrawnPart& part) {
  return part.text + (part.busy ? (part.text.empty() ? "" : ": ") + percent_text(*part.busy, 2) + " busy" : "");
}

class SystemDrawing {
 public:
  explicit SystemDrawing(const SystemStudy& study)
      : study_(study),
        boxes_(study.sites.size()),
        rows_({{.name = "kind"},
               {.name = "resource"},
               {.name = "text"},
               {.name = "busy", .unit = "percent"},
               {.name = "width"},
               {.name = "marked"},
               {.name = "order"},
               {.name = "x"},
               {.name = "x_to"},
               {.name = "y"},
               {.name = "y_to"}}) {
    place();
    for (const DrawnLink& link : study.links) add_link(link);
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      if (boxes_[i].drawn) add_site(study.sites[i], boxes_[i]);
  }

  double height() const { return height_; }
  std::size_t left_out() const { return left_out_; }
  FigureRows& rows() { return rows_; }

 private:
  void place() {
    double top = 0.0;
    std::size_t drawn = 0;
    std::size_t row = 0;
    for (std::size_t rank = 0; rank < 3; ++rank) {
      std::vector<std::size_t> sites;
      for (std::size_t i = 0; i < boxes_.size(); ++i)
        if (rank_of(study_.sites[i]) == rank) sites.push_back(i);
      for (std::size_t begin = 0; begin < sites.size(); begin += boxes_in_row) {
        const std::size_t end = std::min(sites.size(), begin + boxes_in_row);
        if (drawn + (end - begin) > most_boxes) {
          left_out_ += end - begin;
          continue;
        }
        if (row > 0) top += between_rows;
        double tallest = 0.0;
        const auto count = static_cast<double>(end - begin);
        const double width = std::min(0.62, (1.0 - gap * (count - 1)) / count);
        double left = (1.0 - (width * count + gap * (count - 1))) / 2;
        for (std::size_t i = begin; i < end; ++i, left += width + gap) {
          const double tall = height_of(study_.sites[sites[i]]);
          boxes_[sites[i]] = {
              .left = left, .right = left + width, .top = top, .bottom = top + tall, .row = row, .drawn = true};
          tallest = std::max(tallest, tall);
        }
        drawn += end - begin;
        top += tallest;
        row_bottom_.push_back(top);
        ++row;
      }
    }
    const bool loops_below = std::any_of(study_.links.begin(), study_.links.end(), [&](const DrawnLink& link) {
      return boxes_[link.from].drawn && boxes_[link.to].drawn && link.from != link.to &&
             boxes_[link.from].row == boxes_[link.to].row && boxes_[link.from].row + 1 == row;
    });
    height_ = top + (loops_below ? 2 * loop_depth : 4.0);
  }

  bool binds(const DrawnPart& part) const { return !study_.binding.empty() && part.resource == study_.binding; }

  /// Every link leaves its boxes at a place of its own.
  double slot(const Box& box) {
    const double share = 0.5 + 0.14 * static_cast<double>((links_drawn_ % 5) - 2.0);
    return box.left + share * (box.right - box.left);
  }

  void add_link(const DrawnLink& link) {
    const Box& a = boxes_[link.from];
    const Box& b = boxes_[link.to];
    if (!a.drawn || !b.drawn || link.from == link.to) return;
    const Box& upper = a.row <= b.row ? a : b;
    const Box& lower = a.row <= b.row ? b : a;
    std::vector<std::pair<double, double>> places;
    std::pair<double, double> words;
    if (upper.row == lower.row) {
      const double depth = row_bottom_[upper.row] + loop_depth;
      places = {{slot(upper), upper.bottom}, {slot(upper), depth}, {slot(lower), depth}, {slot(lower), lower.bottom}};
      words = {(slot(upper) + slot(lower)) / 2, depth};
    } else {
      places = {{slot(upper), upper.bottom}, {slot(lower), lower.top}};
      // Of several links the words stand one below the other.
      const double share = 0.3 + 0.2 * static_cast<double>(links_drawn_ % 3);
      const double from = std::max(upper.bottom, lower.top - between_rows);
      const double y = from + share * (lower.top - from);
      const double along = (y - upper.bottom) / (lower.top - upper.bottom);
      words = {slot(upper) + along * (slot(lower) - slot(upper)), y};
    }
    double order = 0.0;
    for (const auto& [x, y] : places)
      rows_.add({{"kind", std::string("link")},
                 {"resource", link.part.resource},
                 {"text", link.part.text},
                 {"busy_percent", percent_of * link.part.busy.value_or(0.0)},
                 {"width", std::min(1.0, link.part.busy.value_or(0.0))},
                 {"marked", std::string(binds(link.part) ? "binding" : "")},
                 {"order", ++order},
                 {"x", x},
                 {"y", y}});
    rows_.add({{"kind", std::string("link words")},
               {"text", busy_text(link.part) + (binds(link.part) ? ", binds" : "")},
               {"x", std::clamp(words.first, 0.22, 0.78)},
               {"y", words.second}});
    ++links_drawn_;
  }

  void add_rect(const std::string& kind, double left, double right, double top, double bottom) {
    rows_.add({{"kind", kind}, {"x", left}, {"x_to", right}, {"y", top}, {"y_to", bottom}});
  }

  double add_words(const std::string& kind, const std::string& text, const Box& box, double y) {
    rows_.add({{"kind", kind}, {"text", text}, {"x", box.left + inner_margin}, {"y", y + text_line / 2}});
    return y + text_line;
  }

  void add_site(const DrawnSite& site, const Box& box) {
    add_rect("box", box.left, box.right, box.top, box.bottom);
    double y = add_words("name", shortened(site.name, longest_name), box, box.top + pad);
    for (const std::string& pool : site.jobs) y = add_words("words", pool, box, y);
    for (const DrawnGroup& group : site.groups) {
      if (!group.name.empty()) y = add_words("name", shortened(group.name, longest_name), box, y) + below_name;
      for (const DrawnPart& part : group.parts) y = add_part(part, box, y);
    }
  }

  double add_part(const DrawnPart& part, const Box& box, double top) {
    const double left = box.left + inner_margin;
    const double right = box.right - inner_margin;
    const double busy = std::clamp(part.busy.value_or(0.0), 0.0, 1.0);
    // In boxes side by side the frame has to say it alone.
    const bool room = box.right - box.left > 0.5;
    double y = add_words("words", busy_text(part) + (binds(part) && room ? ", binds" : ""), box, top);
    if (part.units > 0) {
      y = add_devices(part, left, right, y);
    }
    add_rect("track", left, right, y, y + bar_height);
    add_rect("bar", left, left + busy * (right - left), y, y + bar_height);
    rows_.amend({{"resource", part.resource}, {"text", part.text}, {"busy_percent", percent_of * busy}});
    if (binds(part)) add_rect("mark", left - inner_margin / 2, right + inner_margin / 2, top - 1, y + bar_height + 3);
    return y + bar_height + 4.0;
  }

  double add_devices(const DrawnPart& part, double left, double right, double y) {
    const std::uint64_t count = std::min(part.units, most_devices_drawn);
    const double pitch = (right - left) / static_cast<double>(std::max<std::uint64_t>(count, 4));
    for (std::uint64_t i = 0; i < count; ++i) {
      const double from = left + static_cast<double>(i) * pitch;
      add_rect("device", from, from + 0.86 * pitch, y, y + device_height);
      rows_.amend({{"resource", part.resource}, {"busy_percent", percent_of * part.busy.value_or(0.0)}});
    }
    return y + device_height + 4.0;
  }

  const SystemStudy& study_;
  std::vector<Box> boxes_;
  FigureRows rows_;
  std::vector<double> row_bottom_{};
  double height_ = 0.0;
  std::size_t left_out_ = 0;
  int links_drawn_ = 0;
};

std::optional<double> busy_of(const SystemStudy& study, const std::string& resource) {
  for (const DrawnLink& link : study.links)
    if (link.part.resource == resource) return link.part.busy;
  for (const DrawnSite& site : study.sites)
    for (const DrawnGroup& group : site.groups)
      for (const DrawnPart& part : group.parts)
        if (part.resource == resource) return part.busy;
  return std::nullopt;
}

std::string system_title(const SystemStudy& study) {
  if (study.binding.empty()) return "The system at " + study.load + ": nothing is shared";
  std::string title = study.binding + " saturates first";
  if (const std::optional<double> busy = busy_of(study, study.binding))
    title += "; at " + study.load + " it is busy for " + percent_text(*busy, 3) + " of the time";
  return title;
}

}  // namespace

Figure system_figure(const SystemStudy& study, const FigureContext& context) {
  Figure figure{
      .name = "system", .title = system_title(study), .subtitle = figure_subtitle(context.scenario, context.seed)};
  if (study.sites.empty()) {
    figure.cannot = "There is no site to draw.";
    return figure;
  }
  SystemDrawing drawing(study);
  figure.caption = "The scenario at " + study.load +
                   ", simulated. Bars are as long, and links as wide, as they are busy; of two directions the busier "
                   "one is drawn. A box of black lines is round what saturates first" +
                   (study.next.empty() ? "." : ", before " + study.next + ".");
  if (drawing.left_out() > 0)
    figure.caption += " " + counted(static_cast<double>(drawing.left_out()), "site") + " more are not drawn.";
  const FigureScale y{.low = 0.0, .high = drawing.height(), .pixels = drawing.height()};
  figure.spec = filled_spec("system", {{"/title/text", wrapped(figure.title, title_letters)},
                                       {"/title/subtitle", std::vector<std::string>{figure.subtitle}},
                                       {"/height", y.pixels},
                                       {"/encoding/y/scale/domain", std::vector<double>{y.high, y.low}}});
  figure.rows = drawing.rows().taken();
  return figure;
}

}  // namespace saturn
