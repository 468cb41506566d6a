package words

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// golden compares lines with a file, or writes the file.
func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	goldentest.Assert(t, name, strings.Join(lines, "\n")+"\n", os.Getenv("UPDATE_GOLDEN") != "")
}

// The golden file has all data of each file in the trees, which are documented by other programs or
// are our own.
func TestInstructionTrees(t *testing.T) {
	var lines []string
	for _, corpus := range []string{"behaviours.txt", "trees.txt"} {
		for _, one := range behaviours(t, corpus) {
			found, home := one.look(t)
			lines = append(lines, "", "=== "+one.id)
			of := strings.NewReplacer(home, "HOME", found.Root, "ROOT", "\n", "\\n", strings.Repeat("x", 500), "(x)", strings.Repeat("y", 100), "(y)")
			for _, file := range found.Files {
				head, err := json.Marshal(file.Head)
				if err != nil {
					t.Fatal(err)
				}
				named, ok := found.ByName(file.Kind, file.CallName())
				line := fmt.Sprintf("%s %s (%s, for %s) %s", file.Kind, file.Name, file.From, file.Dir, file.State)
				for _, part := range []struct {
					name  string
					value any
					said  bool
				}{
					{"why", file.Why, file.Why != ""},
					{"own", file.Path, file.Own},
					{"head", unset.ReplaceAllString(string(head), "$1"), string(head) != noHead},
					{"imports", file.Imports, len(file.Imports) > 0},
					{"omitted", file.Omitted, len(file.Omitted) > 0},
					{"cut", file.Cut, file.Cut > 0},
					{"nested", file.Nested, file.Nested},
					{"counts", named.Name, file.CallName() != "" && ok},
					{"parts", file.Parts(), file.Kind == Skill},
					{"text", file.Text, true},
					{"hash", file.Hash()[:8], len(file.Text) < 300},
				} {
					if part.said {
						line += fmt.Sprintf("; %s: %v", part.name, part.value)
					}
				}
				lines = append(lines, of.Replace(line))
			}
			for _, problem := range found.Problems {
				lines = append(lines, of.Replace("problem: "+problem.Error()))
			}
		}
	}
	golden(t, "found.golden", lines)
}

// unset matches the fields of a head that the file does not set.
var unset = regexp.MustCompile(`([{,])(?:"\w+":(?:""|null|false)[,}])+`)

const noHead = `{"Name":"","Description":"","Hint":"","Model":"","Policy":"","Globs":null,"Words":null,"Always":null,"Tools":null,"Hidden":false,"Broken":""}`
