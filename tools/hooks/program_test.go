package hooks

import (
	"bytes"
	"errors"
	"testing"
)

// An answer is taken up to its limit, and no byte more.
func TestAnswerIsReadUpToItsLimit(t *testing.T) {
	var m mouthful
	for _, one := range []struct {
		size  int
		wrong error
	}{{mostAnswer - 1, nil}, {2, errTooMuch}, {1, nil}, {1, errTooMuch}, {0, nil}} {
		n, err := m.Write(bytes.Repeat([]byte("x"), one.size))
		if !errors.Is(err, one.wrong) || (n == one.size) != (one.wrong == nil) {
			t.Errorf("%d bytes: %d, %v", one.size, n, err)
		}
	}
	if m.Len() != mostAnswer || errTooMuch.Error() != "its output is longer than 1048576 bytes" {
		t.Errorf("%d bytes are taken, %v", m.Len(), errTooMuch)
	}
}
