package coding

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/address"
	"marvin/tools/internal/box"
	"marvin/tools/internal/text"
)

// mostSearched and longestSearch limit the search of an archive or database. Reading one member of
// a compressed archive means unpacking everything before it.
const (
	mostSearched  = 500
	longestSearch = 10 * time.Second
)

// grepAddress searches content that has an address but is not a separate file. For an archive, a
// database or the manual, it searches every member. For a directory in an archive, it searches
// every member of the directory.
func grepAddress(ctx context.Context, env tools.Env, in grepArgs, at address.Address) (tools.Output, error) {
	search := newSearch(env, in)
	pattern, err := search.compile()
	if err != nil {
		return tools.Output{}, err
	}
	from, err := at.Open(ctx, env)
	below := ""
	if err != nil && at.Scheme == "" && strings.Trim(at.Rest, "/") != "" { // perhaps at.Rest is a directory in the archive
		if whole, failed := at.Whole().Open(ctx, env); failed == nil {
			from, below = whole, strings.Trim(at.Rest, "/")+"/"
		}
	}
	if below == "" && err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = from.Close() }()
	search.start = at.Text
	note := ""
	if len(from.Members) > 0 {
		var some bool
		if note, some = search.members(ctx, at.Whole(), from.Members, below, pattern); !some && below != "" {
			return tools.Output{}, err
		}
	} else {
		search.start, search.GlobFilter, search.FileType = from.Name, "*", ""
		search.text(from.Name, from, pattern)
	}
	if search.found.count == 0 {
		return tools.Output{Text: search.noMatchText() + note, Empty: note == ""}, nil
	}
	return tools.Output{Text: search.found.String() + note, Strangers: from.Foreign}, nil
}

// members applies pattern to an archive or database, but only to the members whose names begin with
// prefix. If some of these members could not be searched, the note says so. found is false if no
// name begins with prefix.
func (s *search) members(ctx context.Context, whole address.Address, names []string, prefix string, pattern *regexp.Regexp) (note string, found bool) {
	ctx, cancel := context.WithTimeout(ctx, longestSearch)
	defer cancel()
	searched, all := 0, 0
	for _, name := range names {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if found = true; !s.wants(name) {
			continue
		}
		all++
		if searched >= mostSearched || ctx.Err() != nil {
			continue
		}
		one := whole
		one.Rest, one.Text = name, whole.Within(name)
		from, err := one.Open(ctx, s.env)
		if err != nil {
			continue // the note reports unsearched members
		}
		searched++
		more := s.text(one.Text, from, pattern)
		_ = from.Close()
		if !more {
			return "", true
		}
	}
	if searched < all {
		note = fmt.Sprintf("[only %d of %d members were searched; name a member, or give a glob_filter]\n", searched, all)
	}
	return note, found
}

// unsearchedNote returns a note about a file that was not searched because it is binary.
func unsearchedNote(dir *box.Dir, path string, info os.FileInfo) string {
	if !info.Mode().IsRegular() {
		return ""
	}
	file, err := dir.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	head, err := io.ReadAll(io.LimitReader(file, 8<<10))
	kind := text.Foreign(head)
	if err != nil || !strings.HasPrefix(kind, "binary") {
		return ""
	}
	return fmt.Sprintf("[the file is %s, so it was not searched as text. read_file shows the text of an office document or PDF. To search an archive or database, use %s!/]\n", kind, visibleName(path))
}
