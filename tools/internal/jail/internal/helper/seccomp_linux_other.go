//go:build linux && !amd64

package helper

const sysSeccomp = 277 // the number on arm64; only amd64 and arm64 have filters
