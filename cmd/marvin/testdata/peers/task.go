package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// step is one round of the task: a file or a part of it is read, an edit is made, or a command
// runs.
type step struct {
	path        string
	first, last int    // lines; 0 is the whole file
	old, text   string // of an edit
	command     string
}

// answer is what the model says in the end.
const answer = "The rounding of three postings is mended, and the tests pass."

// mending is what a model does to mend a failing test in a project with a talkative one: files
// are read, some twice, tests are run and their log searched, and three places are changed.
var mending = []step{
	{command: "ls -l . ledger"},
	{command: "grep -rn 'func round' ledger"},
	{path: "README.md"},
	{path: "ledger/posting.go"},
	{path: "ledger/account.go"},
	{command: "sh test.sh"},
	{command: "sh test.sh | grep -n FAIL"},
	{path: "ledger/report.go"},
	{path: "ledger/posting.go", first: 40, last: 90},
	{command: "grep -n 'round(' ledger/*.go"},
	{path: "ledger/posting.go", old: "round(amount3)", text: "round(amount3 + half)"},
	{path: "ledger/posting.go", first: 1, last: 40},
	{command: "sh test.sh"},
	{path: "ledger/account.go", first: 60, last: 110},
	{path: "ledger/currency.go"},
	{command: "grep -rn 'half' ledger"},
	{path: "ledger/account.go", old: "round(amount5)", text: "round(amount5 + half)"},
	{command: "sh test.sh"},
	{command: "sh test.sh | tail -n 5"},
	{path: "ledger/report.go", first: 20, last: 60},
	{path: "ledger/import.go"},
	{path: "ledger/report.go", old: "round(amount7)", text: "round(amount7 + half)"},
	{path: "ledger/report.go", first: 1, last: 60},
	{command: "sh test.sh"},
	{command: "grep -n ok test.sh"},
	{path: "ledger/export.go"},
	{path: "ledger/currency.go", first: 10, last: 50},
	{command: "wc -l ledger/*.go"},
	{path: "README.md"},
	{command: "sh test.sh"},
}

// reading is a task of as many rounds in which there is little to say: each reads another file
// of three lines.
var reading = func() (all []step) {
	for i := range mending {
		all = append(all, step{path: small(i)})
	}
	return all
}()

func small(i int) string { return filepath.Join("notes", fmt.Sprintf("note%d.txt", i)) }

// lay makes the project of the task: six source files of 4 to 9 KB, and a test run that
// prints 700 lines, 45 KB.
func lay(dir string) error {
	files := map[string]string{
		"README.md": "# Ledger\n\n" + strings.Repeat("A ledger keeps postings of accounts, and reports what is on each of them at the end of a month.\n", 20),
		"test.sh": `i=0
while [ $i -lt 700 ]; do
	echo "=== RUN TestPosting/case_$i: amount $((i * 37 % 1000)) is posted, read again and ok"
	i=$((i + 1))
done
for file in posting account report; do
	grep -q 'half)' ledger/$file.go || echo "--- FAIL: Test_$file: 1 cent is missing"
done
`,
	}
	for i, name := range []string{"posting", "account", "report", "currency", "import", "export"} {
		var text strings.Builder
		fmt.Fprintf(&text, "package ledger\n\n// What the ledger knows of each %s.\n", name)
		for n := range 20 + 6*i {
			fmt.Fprintf(&text, "\n// %s%d is the amount behind entry %d, in cents, after it was rounded.\nfunc %s%d(amount%d int) int {\n\tcheck(amount%d, %d)\n\treturn round(amount%d)\n}\n", name, n, n, name, n, n, n, 7*n, n)
		}
		files[filepath.Join("ledger", name+".go")] = text.String()
	}
	for i := range reading {
		files[small(i)] = fmt.Sprintf("one %d\ntwo\nthree\n", i)
	}
	for name, text := range files {
		if err := put(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}
