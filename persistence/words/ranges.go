package words

import (
	"strconv"
	"strings"
)

// Lines is a file name with a line range. If First is 0, the range is the whole file. If Last is 0,
// the range extends from First to the end of the file.
type Lines struct {
	Name        string
	First, Last int
}

// contextLines is the number of lines before and after a position such as :10:5.
const contextLines = 10

// Ranges returns all ways to split a token into a file name and a line range. Longer names come
// first. People, compilers and search tools write line ranges as :10, :10-20, :10-, #L10-L20, :10:5
// or (10,5). The caller should first check whether the whole token is a file name.
func Ranges(token string) (list []Lines) {
	rest := strings.TrimRight(token, ":")
	if rest != token && rest != "" {
		list = append(list, Lines{Name: rest})
	}
	if name, line := cutPosition(rest); line > 0 {
		return append(list, linesAround(name, line))
	}
	for range 3 { // main.go:10:5-10:9
		lines, ok := cutRange(rest)
		if !ok {
			break
		}
		rest = lines.Name
		if len(list) > 0 && list[len(list)-1].First > 0 { // the number after a line number is a column
			lines = linesAround(lines.Name, lines.First)
		}
		list = append(list, lines)
	}
	return list
}

func linesAround(name string, line int) Lines {
	return Lines{Name: name, First: max(1, line-contextLines), Last: line + contextLines}
}

// cutPosition splits a position such as "(10,5)" or "(10)" off the end of token.
func cutPosition(token string) (name string, line int) {
	name, position, ok := strings.Cut(strings.TrimSuffix(token, ")"), "(")
	if !ok || name == "" || !strings.HasSuffix(token, ")") {
		return token, 0
	}
	first, column, _ := strings.Cut(position, ",")
	line, err := strconv.Atoi(first)
	if _, columnErr := strconv.Atoi(column); err != nil || column != "" && columnErr != nil {
		return token, 0
	}
	return name, line
}

// cutRange splits a line range such as ":10-20" or "#L10-L20" off the end of token.
func cutRange(token string) (Lines, bool) {
	for _, mark := range []string{"#", ":"} {
		at := strings.LastIndex(token, mark)
		if at < 1 {
			continue
		}
		from, to, several := strings.Cut(token[at+1:], "-")
		first, err := strconv.Atoi(strings.TrimPrefix(from, "L"))
		if err != nil || first < 1 {
			continue
		}
		last := first
		if several && to == "" {
			last = 0
		} else if several {
			if last, err = strconv.Atoi(strings.TrimPrefix(to, "L")); err != nil || last < first {
				continue
			}
		}
		return Lines{Name: token[:at], First: first, Last: last}, true
	}
	return Lines{}, false
}
