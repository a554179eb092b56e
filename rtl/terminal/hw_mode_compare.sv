// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Which of two routing modes delivers a message sooner, from the counters of samples under each:
//   high_bias_o = alpha (L_AD - L_HB) > f (s_HB - s_AD),  L = latency / packets, s = stalls / flits,
// where a mode has no sample of its own (estimate_i) by those of the other: L_AD = lambda L_HB, s_HB = sigma s_AD.
//
// Both sides are multiplied by all denominators, so that nothing is divided and nothing is rounded: sums of products of five
// factors, one product after another in one multiplier: for each factor a cycle for ChunkBits of its bits, up to the highest one that is
// set, and one in which the carries that these have saved are added.
//
// Latency: from start_i to done_o at most 4 (6 + 128/ChunkBits) + 1 cycles, with estimate_i half as many products; inputs stay as they are
// until then, and high_bias_o until the next start_i. Throughput: one comparison at a time. Combinational paths: none.
// Assumes: packets and flits of the samples that count are not 0; lambda_i and sigma_i are not 0.
// Guarantees: the exact order of the rationals, equal ones being no gain for the high bias. Checked by a test that compares it with
// rational arithmetic.
// Reference: De Sensi, Di Girolamo, Hoefler, SC 2019, equations 2 to 4; docs/reference/mode-selector.md.
module hw_mode_compare #(
  parameter int unsigned ChunkBits = 0           // 1, 2, 4, 8, 16
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  // Question
  input  wire logic          start_i,
  input  wire logic          estimate_i,         // only the sample of the present mode counts
  input  wire logic          present_i,          // 1: that of the high bias
  input  wire logic [127:0]  adaptive_i,         // samples: {flits, stalled cycles, packets, latency}
  input  wire logic [127:0]  high_bias_i,
  input  wire logic [31:0]   alpha_i,            // latencies that the message waits for
  input  wire logic [31:0]   flits_i,            // of the message
  input  wire logic [7:0]    lambda_i,           // sixteenths
  input  wire logic [7:0]    sigma_i,
  // Answer
  output logic               done_o,
  output logic               high_bias_o
);

  if (ChunkBits == 0 || 16 % ChunkBits != 0) begin : gen_bad_size
    $error("hw_mode_compare: ChunkBits must divide 16");
  end

  localparam int unsigned Width = 160;           // five factors of 32 bits
  localparam int unsigned SumWidth = Width + 2;  // of at most two of each sign
  localparam int unsigned Rows = ChunkBits + 2;  // that are added in a cycle: those of the chunk, and what there is

  function automatic logic [31:0] distance(input logic [7:0] sixteenths);
    distance = sixteenths < 8'd16 ? 32'd16 - 32'(sixteenths) : 32'(sixteenths) - 32'd16;
  endfunction

  typedef struct packed {
    logic [31:0] flits, stalls, packets, latency;
  } sample_t;

  typedef enum logic [1:0] {First, Second, Multiply, Add} step_e;   // First, Second: that factor of a product is loaded

  sample_t ad, hb, own;
  step_e step_q;
  logic [1:0] term_q;
  logic [2:0] factor_q;                          // that is loaded next
  logic busy_q, last_q, done_q;                  // last_q: the last product is to be added
  logic begins_q, ends;                          // the lowest bits of a factor; the highest ones that are set
  logic negative_q, negative;                    // the product is to be subtracted
  logic [31:0] factor, operand_q;
  logic [Width-1:0] multiplicand_q, bits_q, carries_q;   // the product is bits_q + carries_q
  logic [(3*Rows-4)*Width-1:0] rows;
  logic signed [SumWidth-1:0] sum_q;
  logic [SumWidth-1:0] sum;
  logic unused_carry;

  assign {ad, hb} = {adaptive_i, high_bias_i};
  assign own = present_i ? hb : ad;

  // Products, from term 0 on: (L_AD, s_HB, L_HB, s_AD) times the other denominators; those of an estimate are but two.
  always_comb begin
    factor = '0;
    if (estimate_i) begin
      negative = term_q[0] ? sigma_i >= 8'd16 : lambda_i < 8'd16;
      case (factor_q)
        3'd0: factor = term_q[0] ? flits_i : alpha_i;
        3'd1: factor = term_q[0] ? own.stalls : own.latency;
        3'd2: factor = term_q[0] ? own.packets : own.flits;
        3'd3: factor = term_q[0] ? distance(sigma_i) : distance(lambda_i);
        default: factor = term_q[0] == present_i ? 32'd16 : term_q[0] ? 32'(lambda_i) : 32'(sigma_i);
      endcase
    end else begin
      negative = term_q[0] != term_q[1];
      case (factor_q)
        3'd0: factor = term_q[0] ? flits_i : alpha_i;
        3'd1: begin
          case (term_q)
            2'd0: factor = ad.latency;
            2'd1: factor = hb.stalls;
            2'd2: factor = hb.latency;
            default: factor = ad.stalls;
          endcase
        end
        3'd2: factor = term_q[0] ? ad.packets : ad.flits;
        3'd3: factor = term_q[0] ? hb.packets : hb.flits;
        default: begin
          case (term_q)
            2'd0: factor = hb.packets;
            2'd1: factor = ad.flits;
            2'd2: factor = ad.packets;
            default: factor = hb.flits;
          endcase
        end
      endcase
    end
  end

  // Of each three rows, from the first on, two are made behind the last one, until two are left: a tree of carry-save adders.
  assign ends = operand_q >> ChunkBits == '0;
  always_comb begin
    rows = '0;
    for (int unsigned b = 0; b < ChunkBits; b = b + 1) begin
      if (operand_q[b]) rows[b*Width+:Width] = multiplicand_q << b;
    end
    if (!begins_q) rows[ChunkBits*Width+:2*Width] = {carries_q, bits_q};
    for (int unsigned i = 0; i < Rows - 2; i = i + 1) begin
      rows[(Rows+2*i)*Width+:Width] = rows[3*i*Width+:Width] ^ rows[(3*i+1)*Width+:Width] ^ rows[(3*i+2)*Width+:Width];
      rows[(Rows+2*i+1)*Width+:Width] = ((rows[3*i*Width+:Width] & rows[(3*i+1)*Width+:Width]) |
          (rows[(3*i+2)*Width+:Width] & (rows[3*i*Width+:Width] | rows[(3*i+1)*Width+:Width]))) << 1;
    end
  end

  // A product is added, or subtracted: its complement, and a carry from the lowest place.
  assign {sum, unused_carry} = {sum_q, 1'b1} + {SumWidth'(multiplicand_q) ^ {SumWidth{negative_q}}, negative_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      last_q <= 1'b0;
      done_q <= 1'b0;
      step_q <= First;
      term_q <= '0;
      factor_q <= '0;
    end else begin
      last_q <= 1'b0;
      done_q <= last_q;
      if (start_i) begin
        busy_q <= 1'b1;
        step_q <= First;
        term_q <= '0;
        factor_q <= '0;
      end else if (busy_q) begin
        if (step_q != Multiply) factor_q <= factor_q + 3'd1;
        case (step_q)
          First: step_q <= Second;
          Multiply: if (ends) step_q <= Add;
          default: step_q <= Multiply;
        endcase
        if (step_q == Add && factor_q == 3'd5) begin
          step_q <= First;
          term_q <= term_q + 2'd1;
          factor_q <= '0;
          if (term_q == (estimate_i ? 2'd1 : 2'd3)) begin
            busy_q <= 1'b0;
            last_q <= 1'b1;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (busy_q) begin
      case (step_q)
        First: multiplicand_q <= Width'(factor);
        Multiply: multiplicand_q <= multiplicand_q << ChunkBits;
        Add: multiplicand_q <= bits_q + carries_q;
        default: ;
      endcase
      operand_q <= step_q == Multiply ? operand_q >> ChunkBits : factor;
      begins_q <= step_q != Multiply;
      {carries_q, bits_q} <= rows[(3*Rows-6)*Width+:2*Width];
      if (step_q == Add) negative_q <= negative;
    end
    // A product is added while the next one begins, the last one after the end.
    if (start_i) sum_q <= '0;
    else if (last_q || (busy_q && step_q == First && term_q != '0)) sum_q <= sum;
  end

  assign done_o = done_q;
  assign high_bias_o = sum_q > 0;

endmodule

`default_nettype wire
