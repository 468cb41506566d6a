package door

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// longestFirstLine is the maximum length of a connection's first line, in bytes.
const longestFirstLine = 4096

// firstLine limits the length of a connection's first line. Later lines may have any length.
type firstLine struct{ *bufio.Reader }

func newFirstLine(in io.Reader) firstLine {
	return firstLine{bufio.NewReaderSize(in, longestFirstLine)}
}

func (f firstLine) read() ([]byte, error) {
	line, err := f.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("the first line is longer than %d bytes; it must contain only the request", longestFirstLine)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("the first line did not arrive within %v; send it as soon as you connect", patience)
	}
	return line, err
}
