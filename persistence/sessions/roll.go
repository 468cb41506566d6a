package sessions

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"marvin/persistence/internal/store"
)

// Roll is all sessions in the order of [Store.List] in little memory: it holds only
// positions in the index. Ten thousand take 1 MB, a list takes 10. It is safe for concurrent use.
// Close it after use.
type Roll struct {
	index   *os.File // as it was, also when another one takes its place; nil for none
	dirs    []string
	rows    []rollRow
	byPlace []int32         // rows in the order of the index
	held    map[string]Info // by path: what the index does not say
}

type rollRow struct {
	id      string
	size    int64
	updated time.Time
	at      int64 // of its line in the index
	length  int32 // of that; 0 if it is held
	dir     int32
}

// RollOf returns all sessions. The error names unreadable ones. If the index is mostly missing, it
// is rebuilt first, as by List.
func RollOf(s Store) (*Roll, error) {
	roll, stale, lines, err := rollOf(s)
	if count := roll.Len(); stale > count/8 || lines > 1000+4*count {
		if _, worse := s.List(); worse == nil {
			roll.Close()
			roll, _, _, err = rollOf(s)
		}
	}
	return roll, err
}

func rollOf(s Store) (roll *Roll, stale, lines int, err error) {
	roll = &Roll{held: map[string]Info{}}
	if s.dir == "" {
		return roll, 0, 0, nil
	}
	at := roll.enter(s.files())
	var size int64
	if roll.index, size, err = store.OpenRegular(os.OpenFile, s.indexPath()); roll.index != nil {
		lines, err = roll.find(at, size)
	}
	stale, problems := roll.hold(s)
	slices.SortFunc(roll.rows, func(a, b rollRow) int {
		return cmp.Or(b.updated.Compare(a.updated), strings.Compare(b.id, a.id))
	})
	for i, row := range roll.rows {
		if row.length > 0 {
			roll.byPlace = append(roll.byPlace, int32(i))
		}
	}
	slices.SortFunc(roll.byPlace, func(a, b int32) int { return cmp.Compare(roll.rows[a].at, roll.rows[b].at) })
	return roll, stale, lines, errors.Join(append(problems, err)...)
}

// enter makes a row of each file, and says where that of an id is.
func (r *Roll) enter(files []sessionFile) map[string]int {
	r.rows = make([]rollRow, len(files))
	at := make(map[string]int, len(files))
	for i, file := range files {
		id := file.id()
		if len(r.dirs) == 0 || r.dirs[len(r.dirs)-1] != file.dir {
			r.dirs = append(r.dirs, file.dir)
		}
		r.rows[i] = rollRow{id: id, size: file.size, dir: int32(len(r.dirs) - 1)}
		at[id] = i // of two files that are called alike the index tells of one
	}
	return at
}

// find has the place of the last line of each row in the index.
func (r *Roll) find(at map[string]int, size int64) (lines int, err error) {
	place := size + 1
	err = backwards(r.index, size, func(line []byte) (bool, error) {
		lines++
		place -= int64(len(line)) + 1
		id, ok := idOf(line)
		i, there := at[string(id)]
		if !ok || !there || r.rows[i].length > 0 || !gjson.ValidBytes(line) {
			return true, nil
		}
		if updated, size, ok := endOf(line); ok {
			row := &r.rows[i]
			row.at, row.length, row.updated = place, int32(len(line)), updated
			if size != row.size {
				row.updated = time.Time{} // it grew since: hold reads it
			}
		}
		return true, nil
	})
	return lines, err
}

// endOf reads when a session was used last, and its size, which are the end of a line of the
// index, without the rest.
func endOf(line []byte) (updated time.Time, size int64, ok bool) {
	at := bytes.LastIndex(line, []byte(`,"updated":"`))
	if at < 0 {
		return updated, 0, false
	}
	moment, rest, _ := bytes.Cut(line[at+len(`,"updated":"`):], []byte(`"`))
	digits, sized := bytes.CutPrefix(bytes.TrimSuffix(rest, []byte("}")), []byte(`,"size":`))
	updated, err := time.Parse(time.RFC3339Nano, string(moment))
	size, wrong := strconv.ParseInt(string(digits), 10, 64)
	return updated, size, sized && err == nil && wrong == nil && !updated.IsZero()
}

// hold reads the sessions that the index lacks or has wrong, and counts them as stale.
func (r *Roll) hold(s Store) (stale int, problems []error) {
	rows := r.rows[:0]
	for _, row := range r.rows {
		if row.updated.IsZero() {
			stale++
			known, _ := r.told(row)
			info, err := s.info(r.path(row), known)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", r.path(row), err))
				continue
			}
			r.held[info.Path] = info
			row.updated, row.size, row.length = info.Updated, info.Size, 0
		}
		rows = append(rows, row)
	}
	r.rows = rows
	return stale, problems
}

func (r *Roll) path(row rollRow) string {
	return filepath.Join(r.dirs[row.dir], row.id+".jsonl")
}

// told is what the index says of a row.
func (r *Roll) told(row rollRow) (Info, bool) {
	if row.length == 0 {
		return Info{}, false
	}
	line := make([]byte, row.length)
	if _, err := r.index.ReadAt(line, row.at); err != nil {
		return Info{}, false
	}
	return decodeInfo(line)
}

// Len is how many there are.
func (r *Roll) Len() int { return len(r.rows) }

// File is of a session what needs no look at the disk: id, path and size.
func (r *Roll) File(index int) Info {
	row := r.rows[index]
	return Info{Header: Header{ID: row.id}, Updated: row.updated, Size: row.size, Path: r.path(row)}
}

// At is what a list shows of one session; only what File says if it cannot be read any more.
func (r *Roll) At(index int) Info {
	row := r.rows[index]
	info, ok := r.held[r.path(row)]
	if !ok {
		if info, ok = r.told(row); !ok {
			return r.File(index)
		}
	}
	info.Path = r.path(row)
	return info
}

// Each visits all sessions with their index, in no order, until more is false. The index is
// read once from its beginning to its end. Paths are not told.
func (r *Roll) Each(visit func(index int, info Info) (more bool)) {
	for i, row := range r.rows {
		if row.length == 0 && !visit(i, r.At(i)) {
			return
		}
	}
	if len(r.byPlace) == 0 {
		return
	}
	last := r.rows[r.byPlace[len(r.byPlace)-1]]
	lines, place := bufio.NewReaderSize(io.NewSectionReader(r.index, 0, last.at+int64(last.length)), readChunk), int64(0)
	for _, i := range r.byPlace {
		row := r.rows[i]
		if _, err := lines.Discard(int(row.at - place)); err != nil {
			return
		}
		place = row.at
		line, err := lines.Peek(int(row.length))
		info, ok := decodeInfo(line)
		if err != nil || !ok { // longer than the buffer, or overwritten
			info = r.At(int(i))
		}
		if !visit(int(i), info) {
			return
		}
	}
}

// Close ends it; what is still asked of it then says what File does.
func (r *Roll) Close() {
	if r.index != nil {
		_ = r.index.Close() // nothing was written
	}
}
