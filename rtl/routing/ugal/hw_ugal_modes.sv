// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What the mode of a packet says to the route computation of one input port of a dragonfly: where its draws come from, and what the
// choice between minimal and non-minimal paths is.
//
//   Adaptive0 to Adaptive3: random draws, and a bias. That of Adaptive1 depends on the place of the decision: the source router, one
//     that the packet has reached along a row of its group, or along a column.
//   MinHash, NminHash: draws by a hash of source, destination and flow label; always the minimal or the non-minimal path.
//   InOrder: the minimal path, by a hash of source and destination, on one VC of each step.
// The control word's mode (hw_ugal_pkg) counts for the adaptive ones. Without HasModes it is all, with the bias of Adaptive0.
// Latency 0. Combinational paths: req_bits_i -> hashed_o, hash_o; rsp_bits_i, control_i, bias_i -> the other outputs.
// Reference: De Sensi et al. 2019, section 2.2; docs/reference/routing-ugal.md.
module hw_ugal_modes #(
  parameter bit HasModes = 1'b0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned ModeLsb = 0,           // of mode, flow label and, up to RouteBits, source
  parameter int unsigned DstBits = 1,           // the low bits of the head flit: the destination
  parameter int unsigned Place = 0,             // of the decision: 0 source router, 1 after a row, 2 after a column
  parameter int unsigned NumValues = 1
) (
  // Static: configuration
  input  wire logic [1:0]               control_i,
  input  wire logic [(HasModes?96:16)-1:0] bias_i,    // {Adaptive1 at places 2 to 0, Adaptive3, Adaptive2, Adaptive0}, 16 bits each
  // Packet whose paths are drawn
  input  wire logic [RouteBits-1:0]     req_bits_i,
  output logic                          hashed_o,
  output logic [NumValues*32-1:0]       hash_o,
  // Packet whose path is chosen
  input  wire logic [RouteBits-1:0]     rsp_bits_i,
  output logic [1:0]                    mode_o,       // hw_ugal_pkg
  output logic [15:0]                   bias_o,
  output logic                          first_o,      // the first of several paths, whatever their queues
  output logic                          ordered_o     // one VC
);

  if (RouteBits == 0 || Place > 2) begin : gen_bad_size
    $error("hw_ugal_modes: RouteBits must be set, Place 0 to 2");
  end

  if (HasModes) begin : gen_modes
    localparam int unsigned LabelBits = 4, LabelLsb = ModeLsb + 3;
    if (RouteBits > LabelLsb + 32 || DstBits > 32 || ModeLsb == 0) begin : gen_bad_fields
      $error("hw_ugal_modes: flow label and source, and destination have up to 32 bits each; ModeLsb must be set");
    end

    logic [2:0] req_mode, rsp_mode;
    logic [31:0] from, to;
    assign req_mode = req_bits_i[ModeLsb+:3];
    assign rsp_mode = rsp_bits_i[ModeLsb+:3];

    always_comb begin
      from = 32'(req_bits_i[RouteBits-1:LabelLsb]);
      if (req_mode == hw_mode_pkg::InOrder) from[0+:LabelBits] = '0;
      to = 32'(req_bits_i[DstBits-1:0]);
    end
    assign hashed_o = req_mode == hw_mode_pkg::MinHash || req_mode == hw_mode_pkg::NminHash || req_mode == hw_mode_pkg::InOrder;
    hw_flow_hash #(.NumValues(NumValues)) u_hash (.key_i({from, to}), .values_o(hash_o));

    assign ordered_o = rsp_mode == hw_mode_pkg::InOrder;
    always_comb begin
      mode_o = control_i;
      bias_o = bias_i[0+:16];
      first_o = 1'b0;
      case (rsp_mode)
        hw_mode_pkg::Adaptive1: bias_o = bias_i[(3+Place)*16+:16];
        hw_mode_pkg::Adaptive2: bias_o = bias_i[16+:16];
        hw_mode_pkg::Adaptive3: bias_o = bias_i[32+:16];
        hw_mode_pkg::MinHash, hw_mode_pkg::InOrder: begin
          mode_o = hw_ugal_pkg::AlwaysMinimal;
          first_o = 1'b1;
        end
        hw_mode_pkg::NminHash: begin
          mode_o = hw_ugal_pkg::AlwaysNonminimal;
          first_o = 1'b1;
        end
        default: ;
      endcase
    end
    wire unused = &{1'b0, bias_i, req_bits_i, rsp_bits_i};
  end else begin : gen_no_modes
    assign {hashed_o, hash_o, first_o, ordered_o} = '0;
    assign mode_o = control_i;
    assign bias_o = bias_i[0+:16];
    wire unused = &{1'b0, bias_i, req_bits_i, rsp_bits_i};
  end

endmodule

`default_nettype wire
