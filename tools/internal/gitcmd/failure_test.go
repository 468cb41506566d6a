package gitcmd_test

import (
	"testing"

	"marvin/tools/internal/gitcmd"
)

func TestAFailureOfGitIsToldInPlainWords(t *testing.T) {
	for said, want := range map[string]string{
		"fatal: no such path 'x' in HEAD": "git blame: no such path 'x' in HEAD",
		"fatal: ambiguous argument 'x': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'": "git blame: ambiguous argument 'x': unknown revision or path not in the working tree.",
		"error: a\nhint: do this\nerror: a\nerror: b": "git blame: a\nb",
		"usage: git blame [<options>]\n   -x":         "git blame failed and did not say why (exit code 129)",
		"":                                            "git blame failed and did not say why (exit code 129)",
	} {
		if got := (&gitcmd.Failure{Command: "blame", Code: 129, Text: said}).Error(); got != want {
			t.Errorf("%q is told as %q, not %q", said, got, want)
		}
	}
}
