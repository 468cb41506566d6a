package main

import (
	"context"
	"fmt"
	"time"

	"marvin/ui/door"
	"marvin/ui/termsafe"
)

// liveNow lists the conversations that run.
func liveNow(ctx context.Context, w World) ([]door.Entry, error) {
	dir, err := w.doors()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	all, silent, err := door.List(ctx, dir)
	for _, path := range silent {
		fmt.Fprintf(w.Stderr, "warning: the process behind %s does not answer\n", termsafe.Line(path))
	}
	return all, err
}

// answersWithin bounds the time in which each process must say what it does.
const answersWithin = 5 * time.Second
