package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEachLineIsReportedOnce runs a command that prints more than a line per second, and then a
// silent one.
func TestEachLineIsReportedOnce(t *testing.T) {
	var told []string
	var at time.Duration
	heard := &recent{tell: func(line string) { told = append(told, line) }, since: func() time.Duration { return at }}
	second := func(printed string, want ...string) {
		t.Helper()
		at += time.Second
		_, _ = heard.Write([]byte(printed))
		told = nil
		if heard.pass(); !slices.Equal(told, want) {
			t.Errorf("after %s and %q it told %q, want %q", at, printed, told, want)
		}
	}
	second("one\ntwo\nthree\nfour\nfi", "1s three", "1s four", "1s fi")
	second("ve\n", "2s five")
	second("10 %\r20 %\r30 %\r", "3s 30 %")
	second("40 %\r\n\n\n", "4s 40 %")
	second(strings.Repeat("x", 5000)+"\nend\n\xff", "5s "+strings.Repeat("x", recentBytes-6), "5s end", "5s �")
	for range 9 {
		told = nil
		at += time.Second
		if heard.pass(); told != nil {
			t.Errorf("silent for %s it told %q", at-5*time.Second, told)
		}
	}
	second("", "15s �")
}

func TestSilentCommandEndIsReported(t *testing.T) {
	var told []string
	at := time.Second
	heard := &recent{tell: func(line string) { told = append(told, line) }, since: func() time.Duration { return at }}
	for range 12 {
		heard.pass()
		at += time.Second
	}
	if want := []string{"1s", "11s"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	_, _ = fmt.Fprintln(heard, "late")
	if heard.pass(); told[len(told)-1] != "13s late" {
		t.Errorf("told %q", told)
	}
}
