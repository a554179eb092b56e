// SPDX-License-Identifier: Apache-2.0
#include "routing/message_classes.hpp"

#include <utility>

namespace hopwise::routing {
namespace {

class ByMessageClass final : public RoutingRelation {
 public:
  ByMessageClass(std::unique_ptr<RoutingRelation> of_one, const spec::RouterSpec& router)
      : of_one_(std::move(of_one)), vcs_(router.message_class_vcs()) {
    unsigned first = 0;
    for (const std::string& name : router.message_classes) {
      for (VcClass c : of_one_->vc_classes()) {
        c.name = name + "." + c.name;
        c.first += first;
        classes_.push_back(std::move(c));
      }
      first += vcs_;
    }
  }

  std::string name() const override { return of_one_->name(); }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return of_one_->acyclic(); }
  bool in_order() const override { return of_one_->in_order(); }
  unsigned num_packet_classes() const override { return of_one_->num_packet_classes(); }

  void moves(const Query& query, Moves& out) const override {
    of_one_->moves(within(query), out);
    shift(query, out);
  }
  void moves_in(spec::Mode mode, const Query& query, Moves& out) const override {
    of_one_->moves_in(mode, within(query), out);
    shift(query, out);
  }

 private:
  Query within(const Query& query) const {
    Query out = query;
    out.in_vc = VcId{static_cast<std::uint8_t>(index(query.in_vc) % vcs_)};
    return out;
  }
  void shift(const Query& query, Moves& moves) const {
    const auto vc = static_cast<unsigned>(index(query.in_vc));
    for (Move& move : moves) move.vcs <<= vc - vc % vcs_;
  }

  std::unique_ptr<RoutingRelation> of_one_;
  unsigned vcs_;  // of a message class
  std::vector<VcClass> classes_;
};

}  // namespace

std::unique_ptr<RoutingRelation> by_message_class(std::unique_ptr<RoutingRelation> of_one,
                                                  const spec::RouterSpec& router) {
  if (router.num_message_classes() == 1) return of_one;
  return std::make_unique<ByMessageClass>(std::move(of_one), router);
}

VcMask in_every_message_class(VcMask of_one, const spec::RouterSpec& router) {
  VcMask all = 0;
  for (unsigned c = 0; c < router.num_message_classes(); ++c)
    all |= of_one << c * router.message_class_vcs();
  return all;
}

}  // namespace hopwise::routing
