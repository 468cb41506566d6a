package envvar

import (
	"slices"
	"testing"
)

// An invalid value must not count as no.
func TestNonsenseDoesNotFailOpen(t *testing.T) {
	for text, want := range map[string]string{
		"1": "on", "true": "on", "YES": "on", "On": "on", " 1 ": "on", "0": "off", "false": "off", "no": "off", "OFF": "off", "": "off", " ": "off",
		"2": "error", "ture": "error", "-1": "error", "readonly": "error", "y": "error",
	} {
		on, err := ReadOnly([]string{"MARVIN_READONLY=" + text})
		got := map[bool]string{true: "on", false: "off"}[on]
		if err != nil {
			if got = "error"; !on {
				t.Errorf("%q is an error and off", text)
			}
		}
		if got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
}

func TestDepthIsReadInOneWay(t *testing.T) {
	for text, want := range map[string]int{"": 0, "0": 0, "1": 1, "01": 1, "12": 12, " 2 ": 2, "00": 0, "-1": 0, "deep": 1} {
		if got := Depth([]string{"MARVIN_DEPTH=" + text}); got != want {
			t.Errorf("%q is %d, not %d", text, got, want)
		}
	}
	if got := ForChild([]string{"MARVIN_DEPTH=1", "MARVIN_DEPTH=2", "MARVIN_READONLY=yes"}); !slices.Equal(got, []string{"MARVIN_DEPTH=3", "MARVIN_READONLY=1"}) {
		t.Errorf("a child is told %q", got)
	}
	if got := ForChild(nil); !slices.Equal(got, []string{"MARVIN_DEPTH=1"}) {
		t.Errorf("a child is told %q", got)
	}
}
