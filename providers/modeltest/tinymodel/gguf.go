package tinymodel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// Constants of the GGUF format (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
const (
	typeUint32  = 4
	typeInt32   = 5
	typeFloat32 = 6
	typeBool    = 7
	typeString  = 8
	typeArray   = 9

	tensorFloat32 = 0

	alignment = 32
)

// gguf is a GGUF file that is being built. The encoded metadata stays in memory. The tensors are
// encoded while the file is written.
type gguf struct {
	pairs   bytes.Buffer
	count   uint64
	tensors []tensor
}

// tensor is a matrix, or a vector if there are 0 rows. Elements that are missing from the map have
// a default value (t.fill).
type tensor struct {
	name          string
	columns, rows uint64
	fill          float32
	cells         map[uint64]float32 // the key is row*columns+column
}

func (t tensor) numbers() uint64 { return t.columns * max(t.rows, 1) }

func (t tensor) size() uint64 { return 4 * t.numbers() }

func put(to *bytes.Buffer, values ...any) {
	for _, value := range values {
		if text, ok := value.(string); ok {
			put(to, uint64(len(text)))
			to.WriteString(text)
			continue
		}
		_ = binary.Write(to, binary.LittleEndian, value) // writing a value of fixed size to a buffer cannot fail
	}
}

func (g *gguf) set(key string, value any) {
	g.count++
	put(&g.pairs, key)
	switch typed := value.(type) {
	case string:
		put(&g.pairs, uint32(typeString), typed)
	case int:
		put(&g.pairs, uint32(typeUint32), uint32(typed))
	case float32:
		put(&g.pairs, uint32(typeFloat32), typed)
	case bool:
		put(&g.pairs, uint32(typeBool), typed)
	case []string:
		put(&g.pairs, uint32(typeArray), uint32(typeString), uint64(len(typed)))
		for _, each := range typed {
			put(&g.pairs, each)
		}
	case []int32:
		put(&g.pairs, uint32(typeArray), uint32(typeInt32), uint64(len(typed)), typed)
	case []float32:
		put(&g.pairs, uint32(typeArray), uint32(typeFloat32), uint64(len(typed)), typed)
	default:
		panic(fmt.Sprintf("tinymodel: %s is a %T", key, value))
	}
}

func (g *gguf) write(to io.Writer) error {
	var head bytes.Buffer
	head.WriteString("GGUF")
	put(&head, uint32(3), uint64(len(g.tensors)), g.count)
	head.Write(g.pairs.Bytes())
	offset := uint64(0)
	for _, t := range g.tensors {
		put(&head, t.name)
		if t.rows == 0 {
			put(&head, uint32(1), t.columns)
		} else {
			put(&head, uint32(2), t.columns, t.rows)
		}
		put(&head, uint32(tensorFloat32), offset)
		offset += padded(t.size())
	}
	head.Write(make([]byte, padded(uint64(head.Len()))-uint64(head.Len())))
	if _, err := to.Write(head.Bytes()); err != nil {
		return err
	}
	for _, t := range g.tensors {
		if _, err := to.Write(t.bytes()); err != nil {
			return err
		}
	}
	return nil
}

func padded(size uint64) uint64 { return (size + alignment - 1) / alignment * alignment }

func (t tensor) bytes() []byte {
	data := make([]byte, padded(t.size()))
	number := func(at uint64, value float32) {
		_, _ = binary.Encode(data[4*at:], binary.LittleEndian, value) // the slice is long enough
	}
	if t.fill != 0 {
		for i := range t.numbers() {
			number(i, t.fill)
		}
	}
	for at, value := range t.cells {
		number(at, value)
	}
	return data
}
