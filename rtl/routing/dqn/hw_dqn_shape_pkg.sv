// SPDX-License-Identifier: Apache-2.0

// How the layers of a network are cut into the steps of hw_dqn_engine. Constant functions.
// sizes: 8 bits a layer, inputs in the lowest. Layer l leads from sizes[l] to sizes[l + 1]. A step takes `depth` inputs of
// `lanes` outputs, a group; the inputs of a group come first, then the next group, then the next layer.
package hw_dqn_shape_pkg;

  // First addresses of hw_dqn_engine's map. An enumeration: hw_dqn_engine_zero has no map, and leaves no parameter unused.
  typedef enum logic [31:0] {
    Swap = 32'd16,
    Shifts = 32'd32,       // by layer
    Biases = 32'd64,       // by output
    Weights = 32'd1024     // by row and column
  } map_e;

  // Steps of the layers before `layer`: the row of its first weights.
  function automatic int unsigned steps_before(input logic [39:0] sizes, input int unsigned layer,
                                               input int unsigned lanes, input int unsigned depth);
    steps_before = 0;
    for (int unsigned l = 0; l < layer; l = l + 1) begin
      steps_before = steps_before + ((32'(8'(sizes >> (l * 8 + 8))) + lanes - 1) / lanes)
                                    * ((32'(8'(sizes >> (l * 8))) + depth - 1) / depth);
    end
  endfunction

  // Groups of the layers before `layer`: the row of its first biases. With one lane: outputs before `layer`.
  function automatic int unsigned groups_before(input logic [39:0] sizes, input int unsigned layer,
                                                input int unsigned lanes);
    groups_before = 0;
    for (int unsigned l = 0; l < layer; l = l + 1) begin
      groups_before = groups_before + (32'(8'(sizes >> (l * 8 + 8))) + lanes - 1) / lanes;
    end
  endfunction

  // Steps that it takes to go once through the largest of the layers' inputs, of odd or of even layers; at least 1.
  function automatic int unsigned most_steps(input logic [39:0] sizes, input int unsigned num_layers,
                                             input int unsigned first, input int unsigned depth);
    most_steps = 1;
    for (int unsigned l = first; l < num_layers; l = l + 2) begin
      if ((32'(8'(sizes >> (l * 8))) + depth - 1) / depth > most_steps) begin
        most_steps = (32'(8'(sizes >> (l * 8))) + depth - 1) / depth;
      end
    end
  endfunction

  function automatic int unsigned index_bits(input int unsigned values);
    index_bits = values > 1 ? $clog2(values) : 1;
  endfunction

endpackage
