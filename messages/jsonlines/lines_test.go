package jsonlines_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"marvin/messages/jsonlines"
)

func TestLinesAreNumberedAndBounded(t *testing.T) {
	long := strings.Repeat("x", 40<<20)
	reader := jsonlines.NewReader(strings.NewReader("\ufeff{\"a\":1}\r\n\n  \n" + long + "\n{}\nhalf"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, want := range []struct {
		number      int
		data, fault string
		whole       bool
		start       int64
	}{
		{1, `{"a":1}`, "", true, 0},
		{4, "", "the line is 40 MB long, more than the limit of 8 MB", true, 16},
		{5, "{}", "", true, 17 + 40<<20},
		{6, "half", "", false, 20 + 40<<20},
	} {
		line, err := reader.Next()
		if err != nil || line.Number != want.number || string(line.Data) != want.data || line.Whole != want.whole || line.Start != want.start {
			t.Errorf("line %d %q whole %v at %d, %v; want %+v", line.Number, line.Data, line.Whole, line.Start, err, want)
		}
		if (line.Err == nil) != (want.fault == "") || line.Err != nil && line.Err.Error() != want.fault {
			t.Errorf("line %d: %v", line.Number, line.Err)
		}
	}
	if line, err := reader.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: %+v, %v", line, err)
	}
	runtime.ReadMemStats(&after)
	if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 48 {
		t.Errorf("a line of 40 MB took %d MB", taken)
	}
}
