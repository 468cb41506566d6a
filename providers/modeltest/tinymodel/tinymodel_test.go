package tinymodel

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// A server finds the tensors where the head says that they are; make reality shows that it
// runs them.
func TestTheFileIsAsLongAsItsHeadSays(t *testing.T) {
	var file bytes.Buffer
	if err := Write(&file, Answers{"<|talk|>": {"Hello", " to you."}, "<|more|>": {"and more"}}); err != nil {
		t.Fatal(err)
	}
	data := file.Bytes()
	if string(data[:4]) != "GGUF" || binary.LittleEndian.Uint32(data[4:]) != 3 {
		t.Errorf("begins with %q", data[:8])
	}
	count := binary.LittleEndian.Uint64(data[8:])
	if want := uint64(3 + layers*9); count != want {
		t.Errorf("%d tensors, want %d", count, want)
	}
	const matrices = layers * (4*head*width + 3*forward*width + 2*width)
	if vocabulary := 3 + 256 + 5; len(data) < 4*(matrices+2*vocabulary*width+width) || len(data)%alignment != 0 {
		t.Errorf("%d bytes", len(data))
	}
}

func TestTheScriptIsAChain(t *testing.T) {
	words, follows, err := script(Answers{"<|talk|>": {"Hello", " to you."}, "<|mute|>": nil})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for at := slices.Index(words, "<|talk|>"); at != 2; at = follows[at] {
		said = append(said, words[at])
	}
	if got := strings.Join(said, ""); got != "<|talk|>Hello to you." {
		t.Errorf("says %q", got)
	}
	if mute := slices.Index(words, "<|mute|>"); follows[mute] != 2 || follows[slices.Index(words, "<0x41>")] != 2 {
		t.Error("an unscripted line continues")
	}
	for _, answers := range []Answers{
		{"<|a|>": {"twice"}, "<|b|>": {"twice"}}, {"<|a|>": {"x"}}, {"<|a|>": strings.Split(strings.Repeat("word,", 3)+strings.Repeat("xx,", 100), ",")},
	} {
		if err := Write(&bytes.Buffer{}, answers); err == nil {
			t.Errorf("%.40v is taken", answers)
		}
	}
	many := make([]string, width)
	for i := range many {
		many[i] = strings.Repeat("w", i+2)
	}
	if err := Write(&bytes.Buffer{}, Answers{"<|a|>": many}); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("as many tokens as numbers: %v", err)
	}
}
