#ifndef STAND_IN_SDL_H
#define STAND_IN_SDL_H
#include <stdint.h>
typedef struct SDL_Window SDL_Window;
typedef struct SDL_Renderer SDL_Renderer;
typedef struct SDL_FRect { float x, y, w, h; } SDL_FRect;
typedef struct SDL_Event { uint32_t type; } SDL_Event;
enum { SDL_QUIT = 0x100 };
#define SDL_INIT_VIDEO 0x20u
#define SDL_RENDERER_PRESENTVSYNC 4u
int SDL_Init(uint32_t flags);
void SDL_Quit(void);
SDL_Window *SDL_CreateWindow(const char *title, int x, int y, int w, int h, uint32_t flags);
SDL_Renderer *SDL_CreateRenderer(SDL_Window *window, int index, uint32_t flags);
int SDL_PollEvent(SDL_Event *event);
uint64_t SDL_GetPerformanceCounter(void);
uint64_t SDL_GetPerformanceFrequency(void);
int SDL_SetRenderDrawColor(SDL_Renderer *renderer, uint8_t r, uint8_t g, uint8_t b, uint8_t a);
int SDL_RenderClear(SDL_Renderer *renderer);
int SDL_RenderFillRectF(SDL_Renderer *renderer, const SDL_FRect *rect);
void SDL_RenderPresent(SDL_Renderer *renderer);
#endif
