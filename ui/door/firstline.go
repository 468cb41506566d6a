package door

import (
	"bufio"
	"errors"
	"io"
)

// longestFirstLine bounds the first line of a connection, in bytes.
const longestFirstLine = 4096

// firstLine reads the first line of a connection, and then whatever follows.
type firstLine struct{ *bufio.Reader }

func newFirstLine(in io.Reader) firstLine {
	return firstLine{bufio.NewReaderSize(in, longestFirstLine)}
}

func (f firstLine) read() ([]byte, error) {
	line, err := f.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, errors.New("the first line is too long")
	}
	return line, err
}
