package doctor

import (
	"context"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app/apptest"
	"marvin/persistence"
)

func TestTheLogIsFollowed(t *testing.T) {
	p, _ := apptest.AtHome(t, nil)
	log := persistence.NewLog(p.Config.Home)
	if lastOf(nil) != nil || lastOf([][]byte{[]byte("x")}) != nil || string(lastOf([][]byte{[]byte("a\n"), []byte("b\n"), nil})) != "b\n" {
		t.Error("the last line is another one")
	}
	if _, err := log.Write([]byte("one\ntwo\n\nthree\n")); err != nil {
		t.Fatal(err)
	}
	for last, want := range map[string]string{"two": "three\n", "gone": "one\ntwo\nthree\n", "": "one\ntwo\nthree\n"} {
		ctx, stop := context.WithCancel(t.Context())
		var told strings.Builder
		err := follow(ctx, log, []byte(last), func(line []byte) {
			if told.Write(line); string(line) == "three\n" {
				stop()
			}
		})
		if err != nil || told.String() != want {
			t.Errorf("behind %q: %q, %v", last, told.String(), err)
		}
	}
}
