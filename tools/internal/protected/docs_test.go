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
		{Home[:], "~/", "commands cannot write to these files or, outside a project, to their parent directories"},
		{System[:], "", "commands cannot write to these files"},
		{Anywhere[:], "", "commands can write to these files; if a command clearly writes to such a file, Marvin asks"},
	} {
		for _, row := range part.rows {
			write := map[WriteRule]string{Refused: "file tools never write to these files", Asked: "Marvin asks; if no user is present, Marvin refuses the call"}[row.Write]
			inside := part.write
			switch {
			case row.Keys && row.Vars:
				inside += "; commands cannot read one of these files if it seems to contain a key"
			case row.Keys && row.Words != "":
				inside += "; commands cannot read one of these files if it seems to contain credentials"
			case row.Keys:
				inside = "commands can neither read these files nor write to them"
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
