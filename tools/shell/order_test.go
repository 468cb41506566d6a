package shell

import "testing"

func TestPlainReadCommands(t *testing.T) {
	for line, want := range map[string]bool{
		"ls -la":                             true,
		"cat a b | grep -n x | sort | head":  true,
		"git status && git log -3":           true,
		"grep -rn foo . 2>/dev/null || true": true,
		"cat <<< hello":                      true,
		"wc -l $(git ls-files)":              true,
		"sleep 1":                            true,
		"echo hi > out":                      false,
		"echo hi >> out":                     false,
		"make":                               false,
		"go test ./...":                      false,
		"git commit -m x":                    false,
		"git diff --output=x":                false,
		"find . -delete":                     false,
		"find . -exec touch {} ;":            false,
		"sort -o a a":                        false,
		"sort -oa a":                         false,
		"env touch x":                        false,
		"uniq a b":                           false,
		"ls | tee x":                         false,
		"cat $(touch x)":                     false,
		"ls; rm x":                           false,
		"LANG=C ls":                          false,
		"f() { touch x; }; f":                false,
		"$x a":                               false,
		"if test -e a; then cat a; fi":       true,
		"echo 'unbalanced":                   false,
	} {
		if got := onlyReads(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
