// fleetsim plays a fleet that we do not have, event by event, with the times that were
// measured on the one we have: docs/fleet.md says where its figures come from.
package main

import (
	"container/heap"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// world is what is played. Times are in seconds.
type world struct {
	prompts, workers, jobs int
	model, spread          float64 // the mean of a turn, and the deviation of its logarithm
	server                 float64 // CPU of the server for a prompt
	cores                  float64 // that the server can use
	life, back             float64 // of a worker until it dies, and until it is there again
	outage, repair         float64 // of the server
	ackWait                float64
	effects                float64 // the part of turns that change something from half of their time on
	random                 *rand.Rand
}

type kind uint8

const (
	taken  kind = iota // the server gave out a prompt
	ended              // the model answered
	stored             // the server has the result
	died               // a worker
	risen              // it is there again
	again              // a prompt whose worker died comes back
	away               // the server
)

type event struct {
	at     float64
	kind   kind
	worker int
	epoch  int // of the worker: what a dead one began counts no more
	prompt int32
}

type queue []event

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].at < q[j].at }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(event)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

// play is one run.
type play struct {
	world
	events  queue
	now     float64
	free    float64 // when the server has done all that it was asked
	busy    float64 // how long it worked
	next    int     // prompt that was never given out
	waiting []int32 // that came back
	idle    []int   // slots, by worker
	held    []map[int32]float64
	epochs  []int
	deaths  []uint8
	waits   []float64
	done    int
	half    int // told as half done
	aside   int
	repeats int
	lost    float64 // seconds of models whose answers nobody got
}

// at the server: an operation begins when those before it are done.
func (p *play) ask(share float64) float64 {
	begin := max(p.now, p.free)
	if p.random.IntN(16) == 0 {
		p.waits = append(p.waits, begin-p.now)
	}
	cost := p.server * share / p.cores
	p.free = begin + cost
	p.busy += cost
	return p.free
}

func (p *play) at(time float64, kind kind, worker int, prompt int32) {
	heap.Push(&p.events, event{at: time, kind: kind, worker: worker, epoch: p.epochs[worker], prompt: prompt})
}

// pull gives a slot of a worker something to do.
func (p *play) pull(worker int) {
	var prompt int32
	switch {
	case len(p.waiting) > 0:
		prompt = p.waiting[0]
		p.waiting = p.waiting[1:]
	case p.next < p.prompts:
		prompt = int32(p.next)
		p.next++
	default:
		p.idle[worker]++
		return
	}
	p.held[worker][prompt] = math.Inf(1) // until the model is asked
	p.at(p.ask(0.5), taken, worker, prompt)
}

func (p *play) run() {
	p.held, p.idle, p.epochs = make([]map[int32]float64, p.workers), make([]int, p.workers), make([]int, p.workers)
	p.deaths = make([]uint8, p.prompts)
	for w := range p.workers {
		p.held[w] = map[int32]float64{}
		p.at(p.random.ExpFloat64()*p.life, died, w, 0)
		for range p.jobs {
			p.pull(w)
		}
	}
	p.at(p.random.ExpFloat64()*p.outage, away, 0, 0)
	for p.done < p.prompts {
		e := heap.Pop(&p.events).(event)
		p.now = e.at
		p.step(e)
	}
}

func (p *play) step(e event) {
	current := e.epoch == p.epochs[e.worker]
	switch {
	case e.kind == away:
		p.free = max(p.free, p.now) + p.repair
		p.at(p.now+p.repair+p.random.ExpFloat64()*p.outage, away, 0, 0)
	case e.kind == again:
		p.returns(e.prompt)
	case e.kind == died && current:
		p.die(e.worker)
	case e.kind == risen && current:
		for range p.jobs {
			p.pull(e.worker)
		}
	case !current: // of a worker that is dead
	case e.kind == taken:
		p.held[e.worker][e.prompt] = p.now
		p.at(p.now+p.model*math.Exp(p.random.NormFloat64()*p.spread-p.spread*p.spread/2), ended, e.worker, e.prompt)
	case e.kind == ended:
		p.at(p.ask(0.5), stored, e.worker, e.prompt)
	case e.kind == stored:
		delete(p.held[e.worker], e.prompt)
		p.done++
		p.pull(e.worker)
	}
}

// returns is a prompt whose worker was silent for too long.
func (p *play) returns(prompt int32) {
	p.deaths[prompt]++
	switch {
	case p.random.Float64() < p.effects/2: // it died after the first change
		p.half++
		p.done++
		return
	case p.deaths[prompt] >= 3:
		p.aside++
		p.done++
		return
	}
	p.repeats++
	p.waiting = append(p.waiting, prompt)
	for w := range p.idle {
		if p.idle[w] > 0 {
			p.idle[w]--
			p.pull(w)
			return
		}
	}
}

func (p *play) die(worker int) {
	for prompt, since := range p.held[worker] {
		p.lost += max(0, p.now-since)
		p.at(p.now+p.ackWait, again, worker, prompt)
	}
	p.held[worker] = map[int32]float64{}
	p.epochs[worker]++
	p.idle[worker] = 0
	p.at(p.now+p.back+p.random.ExpFloat64()*p.life, died, worker, 0)
	p.at(p.now+p.back, risen, worker, 0)
}

func main() {
	var w world
	var seed uint64
	flag.IntVar(&w.prompts, "prompts", 1_000_000, "how many prompts")
	flag.IntVar(&w.workers, "workers", 1000, "how many workers")
	flag.IntVar(&w.jobs, "jobs", 8, "prompts of a worker at once")
	flag.Float64Var(&w.model, "model", 20, "mean seconds of a turn")
	flag.Float64Var(&w.spread, "spread", 1, "standard deviation of its logarithm")
	flag.Float64Var(&w.server, "server", 0.0024, "CPU seconds of the server for a prompt")
	flag.Float64Var(&w.cores, "cores", 1, "cores that the server can use")
	flag.Float64Var(&w.life, "life", 6*3600, "mean seconds until a worker dies")
	flag.Float64Var(&w.back, "back", 60, "seconds until it is back")
	flag.Float64Var(&w.outage, "outage", 3600, "mean seconds until the server dies")
	flag.Float64Var(&w.repair, "repair", 10, "seconds until it is back")
	flag.Float64Var(&w.ackWait, "away", 30, "seconds until a prompt of a dead worker comes back")
	flag.Float64Var(&w.effects, "effects", 0.5, "part of the turns that change something")
	flag.Uint64Var(&seed, "seed", 1, "of chance")
	flag.Parse()
	w.random = rand.New(rand.NewPCG(seed, 1))
	p := &play{world: w}
	p.run()
	slices.Sort(p.waits)
	at := func(part float64) time.Duration {
		return time.Duration(p.waits[int(part*float64(len(p.waits)-1))] * 1e9).Round(time.Microsecond)
	}
	ideal := float64(w.prompts) * w.model / float64(w.workers*w.jobs)
	fmt.Printf("%d workers x %d, model %gs, server %gms on %g cores: %s, %.0f prompts/s, %.2f of the ideal; server %.0f%% busy, waits %s median, %s p99; %d repeated, %d half done, %d set aside, %.2f%% of model time lost\n",
		w.workers, w.jobs, w.model, w.server*1e3, w.cores, time.Duration(p.now*1e9).Round(time.Second), float64(w.prompts)/p.now, ideal/p.now,
		100*p.busy/p.now, at(0.5), at(0.99), p.repeats, p.half, p.aside, 100*p.lost/(float64(w.prompts)*w.model))
}
