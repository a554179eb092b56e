// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_message_ids, whose assertions say it: no id is given that is out, and none comes back that is not, whatever responses come,
// late, twice or never asked for.
module prove_message_ids #(
  parameter int unsigned OutstandingBits = 1,
  localparam int unsigned TicketBits = OutstandingBits + 4
) (
  input wire logic                        clk_i,
  input wire logic                        take_i,
  input wire logic                        rsp_valid_i,
  input wire logic [TicketBits-1:0]       rsp_ticket_i,
  input wire logic                        wait_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic ticket_valid, fail_ready, rsp_ready, over, late, timeout, failed, entry, quiescent;
  logic [TicketBits-1:0] ticket;
  logic [31:0] now, sent;
  hw_message_ids #(.OutstandingBits(OutstandingBits), .EntryBits(1)) u_dut (
    .clk_i, .rst_ni, .timeout_i(32'd0), .now_o(now), .ticket_valid_o(ticket_valid), .ticket_o(ticket),
    .take_i(take_i && ticket_valid), .entry_i(1'b0), .head_sent_i(1'b0), .head_id_i(OutstandingBits'(0)),
    .fail_valid_i(1'b0), .fail_ready_o(fail_ready), .fail_ticket_i(TicketBits'(0)),
    .rsp_valid_i, .rsp_ready_o(rsp_ready), .rsp_ticket_i, .over_o(over), .late_o(late), .timeout_o(timeout), .failed_o(failed),
    .entry_o(entry), .sent_o(sent), .wait_i, .quiescent_o(quiescent)
  );

  always @(posedge clk_i) begin
    if (rst_ni) begin
      c_over: cover (over);
      c_late: cover (late);
      c_none_left: cover (!ticket_valid);
    end
  end

  wire unused = &{1'b0, fail_ready, rsp_ready, timeout, failed, entry, quiescent, now, sent, ticket};

endmodule

`default_nettype wire
