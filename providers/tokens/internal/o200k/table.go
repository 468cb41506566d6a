package o200k

import (
	_ "embed"
	"encoding/binary"
)

// table is, in little-endian numbers of 32 bits: how many tokens there are; where
// the text of each begins, and the end of the last; [Slots] slots of a hash table
// with open addressing, which hold a token's number plus one. The texts follow. A
// token's number is its rank: of two pairs the one with the lower rank merges first.
//
//go:embed o200k_base.table
var table string

// Slots is the size of the hash table. Three quarters are used.
const Slots = 1 << 18

// longest is the length of the longest token, 128 blanks.
const longest = 128

// Slot is where the search for a text begins (FNV-1a).
func Slot(text string) uint32 {
	hash := uint32(2166136261)
	for i := range len(text) {
		hash = (hash ^ uint32(text[i])) * 16777619
	}
	return (hash ^ hash>>15) % Slots
}

// none is the rank of a non-token: higher than any.
const none = ^uint32(0)

// rank is the rank of a text.
func rank(text string) uint32 {
	if len(text) > longest {
		return none
	}
	size := number(0)
	slots := 4 * (size + 2)
	texts := slots + 4*Slots
	for slot := Slot(text); ; slot = (slot + 1) % Slots {
		taken := number(slots + 4*slot)
		if taken == 0 {
			return none
		}
		if table[texts+number(4*taken):texts+number(4*taken+4)] == text {
			return taken - 1
		}
	}
}

// number reads the number at a byte of the table.
func number(at uint32) uint32 {
	return binary.LittleEndian.Uint32([]byte(table[at : at+4]))
}
