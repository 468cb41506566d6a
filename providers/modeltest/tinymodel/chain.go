package tinymodel

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// The size of the model: 2 layers, 1 million parameters, 5 MB. Its single attention head is narrow,
// because attention is slow in a server that does not use the processor's vector instructions.
const (
	width   = 320
	layers  = 2
	head    = 32
	forward = 512
	// contextLength is the longest context of the model, in tokens.
	contextLength = 32768
)

// The token types in the tokenizer's metadata.
const (
	ordinary = 1
	unknown  = 2
	control  = 3
	single   = 6 // a byte
)

// Answers maps each control token to the pieces of its answer. Each piece becomes one token and
// must be longer than one byte.
type Answers map[string][]string

const end = "<|end|>"

// Write writes a model that gives the specified answers. The map can contain at most 61 keys and
// pieces in total.
func Write(to io.Writer, answers Answers) error {
	words, follows, err := script(answers)
	if err != nil {
		return err
	}
	g := &gguf{}
	describe(g, words)
	embedding, output := map[uint64]float32{}, map[uint64]float32{}
	for i := range words {
		embedding[uint64(i*width+i)] = 1
		output[uint64(follows[i]*width+i)] = 8
	}
	rows := uint64(len(words))
	g.tensors = append(g.tensors,
		tensor{name: "token_embd.weight", columns: width, rows: rows, cells: embedding},
		tensor{name: "output_norm.weight", columns: width, fill: 1},
		tensor{name: "output.weight", columns: width, rows: rows, cells: output})
	for layer := range layers {
		matrix := func(name string, columns, rows uint64) {
			g.tensors = append(g.tensors, tensor{name: fmt.Sprintf("blk.%d.%s.weight", layer, name), columns: columns, rows: rows})
		}
		matrix("attn_q", width, head)
		matrix("attn_k", width, head)
		matrix("attn_v", width, head)
		matrix("attn_output", head, width)
		matrix("ffn_gate", width, forward)
		matrix("ffn_up", width, forward)
		matrix("ffn_down", forward, width)
		for _, name := range []string{"attn_norm", "ffn_norm"} {
			g.tensors = append(g.tensors, tensor{name: fmt.Sprintf("blk.%d.%s.weight", layer, name), columns: width, fill: 1})
		}
	}
	return g.write(to)
}

// script returns all tokens and the index of each token's successor.
func script(answers Answers) (words []string, follows []int, err error) {
	words = []string{"<unk>", "<s>", end}
	for b := range 256 {
		words = append(words, fmt.Sprintf("<0x%02X>", b))
	}
	follows = slices.Repeat([]int{2}, len(words)) // default successor: index 2, the end token
	for _, start := range slices.Sorted(maps.Keys(answers)) {
		words, follows = append(words, start), append(follows, 0)
		for _, piece := range answers[start] {
			if len(piece) < 2 || slices.Contains(words, piece) {
				return nil, nil, fmt.Errorf("%q is already a token; each piece needs a token of its own", piece)
			}
			follows[len(words)-1] = len(words)
			words, follows = append(words, piece), append(follows, 0)
		}
		follows[len(words)-1] = 2
	}
	if len(words) > width {
		return nil, nil, fmt.Errorf("%d tokens are too many; there is room for %d", len(words), width)
	}
	return words, follows, nil
}

func describe(g *gguf, words []string) {
	g.set("general.architecture", "llama")
	g.set("general.name", "tiny")
	g.set("general.file_type", 0)
	g.set("llama.context_length", contextLength)
	g.set("llama.embedding_length", width)
	g.set("llama.block_count", layers)
	g.set("llama.feed_forward_length", forward)
	g.set("llama.attention.head_count", 1)
	g.set("llama.attention.head_count_kv", 1)
	g.set("llama.attention.key_length", head)
	g.set("llama.attention.value_length", head)
	g.set("llama.attention.layer_norm_rms_epsilon", float32(1e-5))
	g.set("llama.rope.dimension_count", head)
	g.set("llama.vocab_size", len(words))
	kinds, scores := make([]int32, len(words)), make([]float32, len(words))
	for i, word := range words {
		switch {
		case i == 0:
			kinds[i] = unknown
		case i < 3 || word[0] == '<' && word[1] == '|':
			kinds[i] = control
		case i < 3+256:
			kinds[i] = single
		default:
			kinds[i] = ordinary
		}
	}
	g.set("tokenizer.ggml.model", "llama")
	g.set("tokenizer.ggml.tokens", words)
	g.set("tokenizer.ggml.scores", scores)
	g.set("tokenizer.ggml.token_type", kinds)
	g.set("tokenizer.ggml.bos_token_id", 1)
	g.set("tokenizer.ggml.eos_token_id", 2)
	g.set("tokenizer.ggml.unknown_token_id", 0)
	g.set("tokenizer.ggml.add_bos_token", false)
	g.set("tokenizer.ggml.add_eos_token", false)
	g.set("tokenizer.ggml.add_space_prefix", false)
}
