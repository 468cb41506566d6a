//go:build !linux

package main

func keepMemory() {}
