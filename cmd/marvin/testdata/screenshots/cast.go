package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// film is what the screen showed, one frame behind the other. When a frame is taken, and how
// long it stands, is said by the scene: two runs give the same film.
type film struct {
	frames []*screen
	from   []time.Duration // when each begins
	length time.Duration
}

// atRest is the screen when nothing changed on it for a while: what the terminal answers, and what
// is written beside the loop, has come.
func (p *person) atRest() (*screen, error) {
	const looks, between = 4, 60 * time.Millisecond
	last, err := p.look()
	for same := 1; err == nil && same < looks; same++ {
		time.Sleep(between)
		var now *screen
		if now, err = p.look(); err == nil && !reflect.DeepEqual(now, last) {
			last, same = now, 0
		}
	}
	return last, err
}

// shows returns a step that takes a frame. In the film, the frame lasts for the given time.
func shows(long time.Duration) step {
	return func(p *person) error {
		screen, err := p.atRest()
		if err != nil {
			return err
		}
		p.film.frames, p.film.from = append(p.film.frames, screen), append(p.film.from, p.film.length)
		p.film.length += long
		return nil
	}
}

// all are several steps as one.
func all(steps ...step) step {
	return func(p *person) error {
		for _, each := range steps {
			if err := each(p); err != nil {
				return err
			}
		}
		return nil
	}
}

// letters returns a step that types a line without sending it. After every few letters, the step
// takes a frame.
func letters(line string, few int) step {
	return func(p *person) error {
		shown := ""
		for some := range slices.Chunk([]rune(line), few) {
			shown += string(some)
			if _, err := p.tmux("send-keys", "-l", string(some)); err != nil {
				return err
			}
			if err := all(sees(strings.TrimRight(shown, " ")), shows(time.Duration(few)*55*time.Millisecond))(p); err != nil {
				return err
			}
		}
		return nil
	}
}

// stretch is a row as it stands from one time to another.
type stretch struct {
	row      []cell
	y        int
	from, to time.Duration
}

// stretches are the rows of all frames, each once for as long as it stands unchanged.
func (f *film) stretches() (list []stretch) {
	now := make([]int, height) // the stretch that each row is in, and one
	for i, frame := range f.frames {
		to := f.length
		if i+1 < len(f.frames) {
			to = f.from[i+1]
		}
		for y := range height {
			var row []cell
			if y < len(frame.rows) {
				row = frame.rows[y]
			}
			if n := now[y]; n > 0 && slices.Equal(list[n-1].row, row) {
				list[n-1].to = to
				continue
			}
			list = append(list, stretch{row, y, f.from[i], to})
			now[y] = len(list)
		}
	}
	return list
}

// svg is the film as a picture that moves, over and over. Where nothing moves, the last frame
// shows.
func (f *film) svg(title string, on ground) string {
	var out strings.Builder
	on.begin(&out, title, width, height)
	whole := f.length.Seconds()
	for _, each := range f.stretches() {
		var drawn strings.Builder
		on.drawRow(&drawn, each.row, each.y)
		if drawn.Len() == 0 {
			continue
		}
		last, values, times := "hidden", "hidden;visible;hidden", fmt.Sprintf("0;%.4f;%.4f", each.from.Seconds()/whole, each.to.Seconds()/whole)
		switch {
		case each.from == 0 && each.to == f.length:
			out.WriteString(drawn.String())
			continue
		case each.to == f.length:
			last, values, times = "visible", "hidden;visible", fmt.Sprintf("0;%.4f", each.from.Seconds()/whole)
		case each.from == 0:
			values, times = "visible;hidden", fmt.Sprintf("0;%.4f", each.to.Seconds()/whole)
		}
		fmt.Fprintf(&out, `<g visibility="%s"><animate attributeName="visibility" values="%s" keyTimes="%s" dur="%.2fs" calcMode="discrete" repeatCount="indefinite"/>`+"\n%s</g>\n",
			last, values, times, whole, drawn.String())
	}
	out.WriteString("</g>\n</svg>\n")
	return out.String()
}
