// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "traffic/random.hpp"
#include "unit.hpp"

namespace hopwise::measure {
namespace {

/// MSER by its definition, in quadratic time.
std::size_t naive_mser(const std::vector<double>& v) {
  const std::size_t keep = std::max<std::size_t>(5, v.size() / 10);
  double best = INFINITY;
  std::size_t at = 0;
  for (std::size_t d = 0; d + keep <= v.size(); ++d) {
    const double m = static_cast<double>(v.size() - d);
    double mean = 0, squares = 0;
    for (std::size_t i = d; i < v.size(); ++i) mean += v[i] / m;
    for (std::size_t i = d; i < v.size(); ++i) squares += (v[i] - mean) * (v[i] - mean);
    if (squares / (m * m) < best) {
      best = squares / (m * m);
      at = d;
    }
  }
  return at;
}

TEST(StudentT, QuantilesAreThoseOfTheTable) {
  EXPECT_TRUE(std::isinf(student_t95(0)));
  EXPECT_NEAR(student_t95(1), 12.7062, 1e-4);
  EXPECT_NEAR(student_t95(9), 2.2622, 1e-4);
  EXPECT_NEAR(student_t95(30), 2.0423, 1e-4);
  EXPECT_NEAR(student_t95(31), 2.0395, 1e-4);
  EXPECT_NEAR(student_t95(40), 2.0211, 1e-4);
  EXPECT_NEAR(student_t95(60), 2.0003, 1e-4);
  EXPECT_NEAR(student_t95(120), 1.9799, 1e-4);
  EXPECT_NEAR(student_t95(1'000'000), 1.95997, 1e-5);
  for (std::size_t n = 1; n < 200; ++n) EXPECT_GT(student_t95(n), student_t95(n + 1));
}

TEST(Mser, MatchesItsDefinitionOnRandomSeries) {
  traffic::Random random(4, 4);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> v(5 + random.below(60));
    for (double& x : v) x = 100 + 10 * unit(random);
    EXPECT_EQ(mser_truncation(v), naive_mser(v));
  }
}

TEST(Mser, CutsATransientWhereItEnds) {
  traffic::Random random(5, 5);
  std::vector<double> v;
  for (int i = 0; i < 100; ++i) v.push_back(200 - 150 * std::exp(-i / 5.0) + 4 * unit(random));
  const std::size_t d = mser_truncation(v);
  EXPECT_GE(d, 10u);  // by then 80 % of the transient has passed
  EXPECT_LE(d, 35u);
}

TEST(Mser, KeepsAConstantSeriesWholeAndNeverTrustsARamp) {
  EXPECT_EQ(mser_truncation(std::vector<double>(50, 7.0)), 0u);
  std::vector<double> ramp;
  for (int i = 0; i < 100; ++i) ramp.push_back(i);
  EXPECT_GT(mser_truncation(ramp), 50u);
}

TEST(Mser, AShortSeriesDropsNothing) {
  EXPECT_EQ(mser_truncation({}), 0u);
  EXPECT_EQ(mser_truncation(std::vector<double>{9, 1, 1, 1}), 0u);
}

TEST(Correlation, IsOneOnALineAndNothingOfAConstant) {
  const std::vector<double> x{1, 2, 3, 4}, line{3, 5, 7, 9}, down{4, 3, 2, 1}, same{2, 2, 2, 2};
  EXPECT_DOUBLE_EQ(*correlation(x, line), 1);
  EXPECT_DOUBLE_EQ(*correlation(x, down), -1);
  EXPECT_FALSE(correlation(x, same));
  // By hand: deviations -1.5 -0.5 0.5 1.5 and -1 1 -1 1, whose products sum to 2; squares 5 and 4.
  EXPECT_DOUBLE_EQ(*correlation(x, std::vector<double>{1, 3, 1, 3}), 2 / std::sqrt(20.0));
}

TEST(Quartiles, LieBetweenTheNearestValues) {
  const Quartiles q = quartiles(std::vector<double>{7, 15, 36, 39, 40, 41});
  EXPECT_DOUBLE_EQ(q.q1, 20.25);
  EXPECT_DOUBLE_EQ(q.median, 37.5);
  EXPECT_DOUBLE_EQ(q.q3, 39.75);
  EXPECT_DOUBLE_EQ(q.mean, 178.0 / 6);
  EXPECT_DOUBLE_EQ(q.min, 7);
  EXPECT_DOUBLE_EQ(q.max, 41);
  EXPECT_DOUBLE_EQ(q.qcd(), 19.5 / 60);
  EXPECT_DOUBLE_EQ(q.low_whisker, 7);
  EXPECT_DOUBLE_EQ(q.high_whisker, 41);
  const Quartiles far = quartiles(std::vector<double>{1, 10, 11, 12, 13, 14, 90});
  EXPECT_DOUBLE_EQ(far.low_whisker, 10);
  EXPECT_DOUBLE_EQ(far.high_whisker, 14);
  const Quartiles one = quartiles(std::vector<double>{5});
  EXPECT_EQ(one.q1, 5);
  EXPECT_EQ(one.q3, 5);
  EXPECT_EQ(one.qcd(), 0);
  EXPECT_EQ(quartiles({}).qcd(), 0);
}

}  // namespace
}  // namespace hopwise::measure
