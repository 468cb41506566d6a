package slash

import (
	"testing"
)

func TestASlipIsNoPrompt(t *testing.T) {
	for line, want := range map[string]string{
		"qiut": "quit", "quitt": "quit", "Exti": "exit", "eexit": "exit", "prefernces": "", "uasge": "usage", "quit": "", "exit": "",
		"quiet": "", "exist": "", "edit": "", " qiut": "", "qiut now": "", "": "",
	} {
		if got := Slip(line); got != want {
			t.Errorf("%q is meant as %q, not %q", line, got, want)
		}
	}
}
