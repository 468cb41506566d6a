package coding

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/address"
)

// findAddress returns the addresses of matching members of an archive, a database or the manual.
func findAddress(ctx context.Context, env tools.Env, in findArgs, at address.Address) (tools.Output, error) {
	if at.Scheme != "" && at.Scheme != "doc" {
		return tools.Output{}, tools.Advise(fmt.Errorf("find_files cannot look into %s", at.Text), "find_files looks into archives (x.zip!/), SQLite files (x.db!/) and the manual (doc:). To search the content at such an address, use code_grep.")
	}
	source, err := at.Whole().Open(ctx, env)
	if err != nil {
		return tools.Output{}, err
	}
	if err := source.Close(); err != nil {
		return tools.Output{}, err
	}
	start := strings.Trim(at.Rest, "/")
	matches := globOf(in.Pattern, start)
	var found []string
	for _, name := range source.Members {
		if (start == "" || strings.HasPrefix(name, start+"/")) && matches(name) {
			found = append(found, at.Within(name))
		}
	}
	if len(found) == 0 {
		return tools.NoResults(fmt.Sprintf("Nothing in %s matches %q\n", at.Text, in.Pattern)), nil
	}
	slices.Sort(found)
	var text strings.Builder
	for _, name := range found[:min(in.Limit, len(found))] {
		text.WriteString(visibleName(name) + "\n")
	}
	if len(found) > in.Limit {
		fmt.Fprintf(&text, "[the first %d of %d that match]\n", in.Limit, len(found))
	}
	return tools.Output{Text: text.String(), Strangers: source.Foreign}, nil
}
