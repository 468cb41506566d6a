package persistence_test

import (
	"testing"
	"time"

	"marvin/persistence"
)

func TestNoticeIsShownOnce(t *testing.T) {
	dir := t.TempDir()
	open := func() *persistence.Home {
		home := persistence.Open(dir, time.Now)
		home.State = dir
		return home
	}
	if !persistence.FirstTime(open(), "price a/b") || persistence.FirstTime(open(), "price a/b") || !persistence.FirstTime(open(), "price a/c") {
		t.Error("it is reported twice, or never")
	}
}
