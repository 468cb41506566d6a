// The generator writes o200k_base.table from the vocabulary of
// github.com/tiktoken-go/tokenizer, in the layout that package o200k reads.
package main

import (
	"encoding/binary"
	"log"
	"os"

	"github.com/tiktoken-go/tokenizer/codec"

	"marvin/providers/tokens/internal/o200k"
)

// size is the number of ordinary tokens; the special ones behind them are never
// part of a text.
const size = 199_998

func main() {
	vocabulary := codec.NewO200kBase()
	var offsets, texts []byte
	slots := make([]uint32, o200k.Slots)
	offsets = binary.LittleEndian.AppendUint32(offsets, size)
	for id := range uint32(size) {
		text, err := vocabulary.Decode([]uint{uint(id)})
		if err != nil {
			log.Fatal(err)
		}
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(texts)))
		texts = append(texts, text...)
		slot := o200k.Slot(text)
		for slots[slot] != 0 {
			slot = (slot + 1) % o200k.Slots
		}
		slots[slot] = id + 1
	}
	table := binary.LittleEndian.AppendUint32(offsets, uint32(len(texts)))
	for _, slot := range slots {
		table = binary.LittleEndian.AppendUint32(table, slot)
	}
	if err := os.WriteFile("o200k_base.table", append(table, texts...), 0o644); err != nil {
		log.Fatal(err)
	}
}
