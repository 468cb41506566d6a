package protected

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The documented table is the same as the table in the code.
func TestTheDocumentedTableIsTheTable(t *testing.T) {
	const begin, end = "<!-- protected places: UPDATE_GOLDEN=1 go test ./tools/internal/protected -run DocumentedTable -->\n", "<!-- end of protected places -->\n"
	var table strings.Builder
	table.WriteString("| what | file tools | commands in the sandbox | why |\n|---|---|---|---|\n")
	for _, part := range []struct {
		rows   []Row
		prefix string
		write  string
	}{
		{Home[:], "~/", "do not write it; its directories outside a project are not writable"},
		{System[:], "", "do not write it"},
		{Anywhere[:], "", "the sandbox lets them write it; Marvin judges a command that names it as a target"},
	} {
		for _, row := range part.rows {
			write := map[Write]string{Refused: "never write it", Asked: "ask; without a user, refused"}[row.Write]
			inside := part.write
			switch {
			case row.Keys && row.Vars:
				inside += "; do not read a file that sets a variable that looks like a key"
			case row.Keys && row.Words != "":
				inside += "; do not read a file that seems to contain a login"
			case row.Keys:
				inside = "neither read nor write it"
			}
			var names []string
			for _, name := range row.Names {
				names = append(names, "`"+part.prefix+name+"`")
			}
			fmt.Fprintf(&table, "| %s: %s | %s | %s | %s |\n", row.What, strings.Join(names, ", "), write, inside, row.Why)
		}
	}
	path := "../../../docs/protected.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	old, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("the page has no place for the table")
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(before+begin+table.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != table.String() {
		t.Error("docs/protected.md has another table; UPDATE_GOLDEN=1 writes it")
	}
}
