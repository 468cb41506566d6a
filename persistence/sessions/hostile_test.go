package sessions

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/storetest"
)

// Impossible numbers in a damaged file cause no endless loop, and the next entry is still written.
func TestNumbersThatCannotBeAreReported(t *testing.T) {
	for name, test := range map[string]struct{ lines, want string }{
		"its own parent": {`{"id":1,"kind":"k","at":"2026-11-22T09:00:00Z"}` + "\n" + `{"id":2,"parent":2,"kind":"k","at":"2026-11-22T09:00:00Z"}`, "claims to follow step 2"},
		"a circle":       {`{"id":1,"parent":2,"kind":"k","at":"2026-11-22T09:00:00Z"}` + "\n" + `{"id":2,"parent":1,"kind":"k","at":"2026-11-22T09:00:00Z"}`, "claims to follow step 2"},
		"below nothing":  {`{"id":1,"parent":-3,"kind":"k","at":"2026-11-22T09:00:00Z"}`, "claims to follow step -3"},
		"the last one":   {`{"id":9223372036854775807,"kind":"k","at":"2026-11-22T09:00:00Z"}`, "cannot be read"},
	} {
		all := storage(t)
		session, err := all.Create(Header{})
		storetest.Must(t, err)
		file, err := os.OpenFile(session.path, os.O_APPEND|os.O_WRONLY, 0)
		storetest.Must(t, err)
		_, err = fmt.Fprintln(file, test.lines)
		storetest.Must(t, errors.Join(err, file.Close(), session.Close()))
		checked := make(chan []Check, 1)
		go func() { checked <- all.Check() }()
		select {
		case checks := <-checked:
			if !strings.Contains(strings.Join(checks[0].Problems, "\n"), test.want) {
				t.Errorf("%s: %q", name, checks[0].Problems)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: the check does not end", name)
		}
		again, err := all.Open(session.Header().ID)
		storetest.Must(t, err)
		storetest.Must(t, errors.Join(again.Append(true, said("more")), again.Close()))
		if _, branch, err := all.Branch(session.Header().ID, 0, nil); err != nil || len(branch) == 0 || string(branch[len(branch)-1].Body) != `"more"` {
			t.Errorf("%s: %v, %v", name, branch, err)
		}
	}
}
